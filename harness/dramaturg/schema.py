"""JSON Schema files, for those who read what the harness writes without reading the harness."""

import json

from pydantic import BaseModel


def text(model: type[BaseModel]) -> str:
    """The schema of what a model writes, as the file beside the model holds it."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model.model_json_schema(mode="serialization"),
    }
    return json.dumps(schema, indent=2) + "\n"
