"""The model's sources, translated: 64-bit integers, constants for names, a dispatcher by kind.

Nothing of a behaviour is written anew. An ``int`` in an annotation becomes an ``i64``; a name that
stands for an integer becomes that integer; ``send`` becomes the one for so many arguments; a class
of actors gets the dispatcher that its kinds of messages say. Everything that handlers do not need
is left out. A function that cannot be translated, since it remembers results or computes with
NumPy, is imported from the model.
"""

import ast
import builtins
import dataclasses
import importlib
import inspect
from collections.abc import Iterable
from enum import IntEnum
from types import ModuleType
from typing import Any, cast

from dramaturg.model.actor import Actor
from dramaturg.model.messages import ARITY, KINDS
from dramaturg.model.workload import MICRO

SHARED = ("names", "fold", "lcg", "windows")
"""Modules of which all that is needed of several models is translated."""

MODELS = ("chatapp", *MICRO)

ENGINE = ("engine", "game")
"""Modules that are compiled with it, as they are."""

_MODEL = "dramaturg.model."
_ENGINE = "dramaturg.compiled."
_LONG = 64
"""Members of a tuple of constants, from which on it is imported."""

_HEAD = """from collections import deque
from collections.abc import Sequence
from typing import Any
from mypy_extensions import i64
from dramaturg.compiled.signals import breathe
from {package}.engine import Actor, shifted, word
"""


def package(name: str) -> dict[str, str]:
    """The files of the translated model, by name, for a package that is called ``name``."""
    made = {f"{module}.py": translated(module, name) for module in (*SHARED, *MODELS)}
    for module in ENGINE:
        source = inspect.getsource(importlib.import_module(f"{_ENGINE}{module}"))
        made[f"{module}.py"] = source.replace(f"{_ENGINE}engine", f"{name}.engine")
    return {**made, "__init__.py": ""}


def translated(module: str, package: str) -> str:
    """One module of it."""
    return _Module(importlib.import_module(_MODEL + module), package).source()


class _Module:
    """A module of the model that is being translated."""

    def __init__(self, plain: ModuleType, package: str) -> None:
        self.plain, self.package = plain, package
        self.imports: set[tuple[str, str, str]] = set()
        """Module, name in it, name here."""
        self.own = self._reached(
            {node.name: node for node in self._tree().body
             if isinstance(node, ast.FunctionDef | ast.ClassDef) and self._stays(node)}
        )  # fmt: skip

    def source(self) -> str:
        body = [self._statement(node) for node in self._tree().body
                if getattr(node, "name", "") in self.own]  # fmt: skip
        code = "\n\n".join(ast.unparse(ast.fix_missing_locations(node)) for node in body)
        imports = "".join(
            f"from {module} import {name} as {here}\n"
            for module, name, here in sorted(self.imports)
        )
        return _HEAD.format(package=self.package) + imports + "\n" + code + "\n"

    def _reached(self, nodes: dict[str, ast.FunctionDef | ast.ClassDef]) -> set[str]:
        """Return the names that actors need of these; all of a module that is there for others."""
        if self.plain.__name__.removeprefix(_MODEL) in SHARED:
            return set(nodes)
        found: set[str] = set()
        todo = [
            name for name, node in nodes.items() if name == "initial" or _is_actor(self.plain, node)
        ]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += _free(nodes[name]) & nodes.keys()
        return found

    def _tree(self) -> ast.Module:
        return ast.parse(inspect.getsource(self.plain))

    def _stays(self, node: ast.FunctionDef | ast.ClassDef) -> bool:
        found = getattr(self.plain, node.name)
        if isinstance(node, ast.FunctionDef):
            return node.name == "initial" or translatable(found)
        short = self.plain.__name__.removeprefix(_MODEL)
        return not issubclass(found, IntEnum) and (short in SHARED or short in MODELS)

    def _statement(self, node: ast.stmt) -> ast.stmt:
        if isinstance(node, ast.FunctionDef):
            return _Function(self, node, {}).done()
        assert isinstance(node, ast.ClassDef)
        found = getattr(self.plain, node.name)
        if dataclasses.is_dataclass(found):
            return _record(node, self)
        return self._class(node, found)

    def _class(self, node: ast.ClassDef, found: type) -> ast.ClassDef:
        functions: dict[str, ast.expr] = {}
        methods: list[ast.stmt] = []
        for each in node.body:
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call):
                # work = staticmethod(fibonacci)
                functions[cast("ast.Name", each.targets[0]).id] = each.value.args[0]
        for each in node.body:
            if isinstance(each, ast.FunctionDef) and not each.name.startswith("__r"):
                methods.append(_Function(self, each, functions).done())
        if issubclass(found, Actor):
            methods.append(_dispatcher(found))
        bases = node.bases
        return ast.ClassDef(node.name, bases, [], methods, [], type_params=[])  # type: ignore[call-arg]

    def reference(self, found: Any, written: str) -> str | None:
        """The name here of what the plain module knows by what is ``written``; None if that needs
        no import."""
        module, name = getattr(found, "__module__", ""), getattr(found, "__name__", "")
        if found is Actor or not module.startswith(_MODEL):
            return None
        short = module.removeprefix(_MODEL)
        if module == self.plain.__name__ and name in self.own:
            return None
        whole = inspect.isclass(found) or translatable(found)
        here = written.replace(".", "_")
        source = f"{self.package}.{short}" if whole and short in (*SHARED, *MODELS) else module
        self.imports.add((source, name, here))
        return here


def _is_actor(module: ModuleType, node: ast.stmt) -> bool:
    found = getattr(module, getattr(node, "name", ""), None)
    return inspect.isclass(found) and issubclass(found, Actor)


def _free(node: ast.AST) -> set[str]:
    """Names that it takes from outside."""
    if isinstance(node, ast.Name):
        return {node.id}
    within = set[str]().union(*map(_free, ast.iter_child_nodes(node)))
    return within - _local(node) if isinstance(node, ast.FunctionDef) else within


def _local(node: ast.FunctionDef) -> set[str]:
    every = [*node.args.args, *filter(None, (node.args.vararg, node.args.kwarg))]
    stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return {each.arg for each in every} | {
        each.id for each in stored if isinstance(each.ctx, ast.Store)
    }


def translatable(function: Any) -> bool:
    """True if it is a function of integers, and remembers nothing."""
    if not inspect.isfunction(function):
        return False
    parameters = inspect.signature(function).parameters.values()
    annotations = [
        *(each.annotation for each in parameters),
        function.__annotations__.get("return"),
    ]
    simple = all(each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters)
    return simple and all(each in (int, bool) for each in annotations) and not _recurs(function)


def _recurs(function: Any) -> bool:
    return function.__name__ in function.__code__.co_names


def _record(node: ast.ClassDef, module: _Module) -> ast.ClassDef:
    """A class of parameters, with nothing that a handler does not need."""
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    parameters = []
    for each in fields:
        kind = "bool" if ast.unparse(each.annotation) == "bool" else "i64"
        parameters.append(f"{cast('ast.Name', each.target).id}: {kind}")
    names = [each.partition(":")[0] for each in parameters]
    lines = "\n".join(f"        self.{name} = {name}" for name in names)
    code = (
        f"class {node.name}:\n    def __init__(self, {', '.join(parameters)}) -> None:\n{lines}\n"
    )
    return cast("ast.ClassDef", ast.parse(code).body[0])


def _dispatcher(actor: type[Actor]) -> ast.stmt:
    lines = ["def take_(self, kind: i64, sender: i64, args: bytes, at: i64) -> None:"]
    word = "if"
    for kind in KINDS.values():
        if kind.receiver_class == actor.actor_class:
            words = "".join(f", word(args, at + {8 * n})" for n in range(ARITY[kind.number]))
            lines += [
                f"    {word} kind == {kind.number}:",
                f"        self.{kind.label}(sender{words})",
            ]
            word = "elif"
    lines += ["    else:", "        raise KeyError(kind)"]
    return ast.parse("\n".join(lines)).body[0]


class _Function(ast.NodeTransformer):
    """A function or a method."""

    def __init__(
        self, module: _Module, node: ast.FunctionDef, functions: dict[str, ast.expr]
    ) -> None:
        self._module, self._node, self._functions = module, node, functions
        arguments = node.args
        every = [*arguments.args, *filter(None, (arguments.vararg, arguments.kwarg))]
        self._local = _local(node)
        self._typed: set[str] = {each.arg for each in every}

    def done(self) -> ast.FunctionDef:
        node = self._node
        for argument in [*node.args.args, *filter(None, (node.args.vararg,))]:
            if argument.annotation is not None:
                argument.annotation = self._type(argument.annotation)
        if node.returns is not None:
            node.returns = self._type(node.returns)
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        body = node.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:] or [ast.Pass()]
        node.body = [self.visit(each) for each in body]
        return node

    def _type(self, annotation: ast.expr) -> ast.expr:
        for each in ast.walk(annotation):
            if isinstance(each, ast.Name):
                found = getattr(self._module.plain, each.id, None)
                if each.id == "int" or (inspect.isclass(found) and issubclass(found, IntEnum)):
                    each.id = "i64"
                elif found is not None and not hasattr(builtins, each.id):
                    self._module.reference(found, each.id)
        return annotation

    def _known(self, node: ast.expr) -> Any:
        """Return the value of a name of the module, or of a module in it; None if it is neither."""
        if isinstance(node, ast.Name) and node.id not in self._local:
            return getattr(self._module.plain, node.id, None)
        if isinstance(node, ast.Attribute):
            base = self._known(node.value)
            if inspect.ismodule(base) or (inspect.isclass(base) and issubclass(base, IntEnum)):
                return getattr(base, node.attr)
        return None

    def _replaced(self, node: ast.expr) -> ast.expr | None:
        found = self._known(node)
        if found is None:
            return None
        if isinstance(found, int) and not isinstance(found, bool):
            return ast.Constant(int(found))
        if isinstance(found, tuple) and len(found) < _LONG and _integers(found):
            return ast.Tuple([ast.Constant(int(each)) for each in found], ast.Load())
        here = self._module.reference(found, ast.unparse(node))
        return None if here is None else ast.Name(here, ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._replaced(node) or node if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            replaced = self._replaced(node)
            if replaced is not None:
                return replaced
        return cast("ast.expr", self.generic_visit(node))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        node.annotation = self._type(node.annotation)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """Attributes and variables that begin with a number, or with a list of numbers, are said to
        be numbers of 64 bits."""
        node = cast("ast.Assign", self.generic_visit(node))
        target, value = node.targets[0], node.value
        name = ast.unparse(target)
        begins = self._node.name == "__init__" or isinstance(target, ast.Name)
        if len(node.targets) > 1 or not begins or name in self._typed:
            return node
        self._typed.add(name)
        if isinstance(value, ast.Constant) and type(value.value) is int:
            kind = "i64"
        elif isinstance(value, ast.List) or (
            isinstance(value, ast.BinOp) and isinstance(value.left, ast.List)
        ):
            kind = "list[i64]"
        else:
            return node
        simple = int(isinstance(target, ast.Name))
        return ast.AnnAssign(cast("Any", target), ast.parse(kind, mode="eval").body, value, simple)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """A number that is shifted would be one of 32 bits to a C compiler."""
        node = cast("ast.BinOp", self.generic_visit(node))
        if isinstance(node.op, ast.LShift) and isinstance(node.left, ast.Constant):
            return ast.Call(ast.Name("shifted", ast.Load()), [node.left, node.right], [])
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        node = cast("ast.While", self.generic_visit(node))
        node.body.insert(0, ast.parse("breathe()").body[0])
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        of = node.func
        if isinstance(of, ast.Attribute) and of.attr in self._functions:
            node.func = self._functions[of.attr]
        node = cast("ast.Call", self.generic_visit(node))
        of = node.func
        if isinstance(of, ast.Attribute) and of.attr == "send":
            _counted(node, of)
        if isinstance(of, ast.Name) and of.id == "divmod":
            left, right = node.args
            pair = [ast.BinOp(left, ast.FloorDiv(), right), ast.BinOp(left, ast.Mod(), right)]
            return ast.Tuple(cast("list[ast.expr]", pair), ast.Load())
        return node


def _counted(call: ast.Call, of: ast.Attribute) -> None:
    receiver, kind, *args = call.args
    if any(isinstance(each, ast.Starred) for each in args):
        of.attr = "send_all"
        call.args = [receiver, kind, ast.List(args, ast.Load())]
    else:
        of.attr = f"send{len(args)}"


def _integers(members: Iterable[Any]) -> bool:
    return all(isinstance(each, int) and not isinstance(each, bool) for each in members)
