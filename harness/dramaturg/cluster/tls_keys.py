"""Keys by which the members of a cluster know each other: made for one run and kept in memory, or
given by the user."""

from pathlib import Path

import dask
from distributed import Security

from dramaturg import ownership
from dramaturg.errors import ClusterError

FILES = {"ca": "ca.pem", "cert": "cert.pem", "key": "key.pem"}
"""The files in the folder that ``--cluster-tls`` names."""

_DASK = {
    "ca": "distributed.comm.tls.ca-file",
    "cert": "distributed.comm.tls.client.cert",
    "key": "distributed.comm.tls.client.key",
}


def made() -> dict[str, str]:
    """An authority, a certificate and its key, in PEM. Whoever has them is a member, and nobody
    else is; they are in no file and on no command line."""
    made = Security.temporary()
    return {"ca": made.tls_ca_file, "cert": made.tls_client_cert, "key": made.tls_client_key}


def security_of(keys: dict[str, str]) -> Security:
    """TLS in both directions: a peer without a key of this authority is refused. Texts in PEM, or
    names of files."""
    each = {
        f"tls_{role}_{kind}": keys[kind]
        for role in ("scheduler", "worker", "client")
        for kind in ("cert", "key")
    }
    return Security(require_encryption=True, tls_ca_file=keys["ca"], **each)


def given(folder: Path | None) -> Security:
    """The user's own: in this folder, or where Dask's configuration and its variables say. Raises
    ClusterError for one that is not there, and for a key that others may write."""
    if folder is not None:
        named = {kind: str(folder / file) for kind, file in FILES.items()}
    else:
        named = {kind: str(dask.config.get(place, None) or "") for kind, place in _DASK.items()}
    for kind, file in named.items():
        if not file:
            variable = "DASK_" + _DASK[kind].upper().replace(".", "__").replace("-", "_")
            raise ClusterError(
                f"tls:// needs certificates, and {kind} is not given: --cluster-tls FOLDER has"
                f" {', '.join(FILES.values())}, or {variable} names the file"
            )
        try:
            ownership.require(Path(file))
        except ownership.Exchangeable as error:
            raise ClusterError(str(error)) from None
    return security_of(named)
