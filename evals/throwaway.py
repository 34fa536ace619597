"""Database servers and folders for one run: made in a temporary folder, gone when it ends.

Evals that run statements which write, kill or read files may do so here and nowhere else: own
data folder, own free port, own socket, and an account that may do nothing else.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

DATABASE = "guard"
READER = "reader"
"""The login that may do nothing but SELECT."""
_PATIENCE_SECONDS = 40.0
_ACCOUNTS = ("postgres", "mysql", "nobody")
_PROGRAMS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/sbin", "/usr/libexec")
_POSTGRES_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "shared_buffers": "32MB",
    "max_connections": "40",
    "autovacuum": "off",  # it would change what is compared
    "checkpoint_timeout": "1h",
    "wal_level": "logical",  # so that slots and restore points could be made
}
_MARIADB_SETTINGS = """
    bind-address=127.0.0.1
    skip-networking=0
    skip-name-resolve=1
    secure-file-priv=
    innodb-buffer-pool-size=32M
    innodb-log-file-size=8M
    innodb-flush-log-at-trx-commit=0
    performance-schema=0
"""


class AbsentError(Exception):
    """What is needed for a server isn't installed, or doesn't start here."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How to run one kind of server."""

    command: tuple[str, ...]
    connect: Callable[[int], Any]
    ending: signal.Signals


class Server:
    """A running server of our own."""

    def __init__(self, kind: _Kind, port: int, folder: Path) -> None:
        self.port = port
        self._kind = kind
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def connect(self) -> Any:
        """Return a connection as superuser; a server that went down is started again."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            if self._process is None or self._process.poll() is not None:
                self._start(deadline)
            try:
                return self._kind.connect(self.port)
            except AbsentError:
                raise
            except Exception as error:  # each driver has its own
                if time.monotonic() > deadline:
                    raise AbsentError(f"the server doesn't answer: {error}") from error
                time.sleep(0.05)

    def stop(self) -> None:
        """End the server at once; nothing of it is worth keeping."""
        if self._process is None:
            return
        self._process.send_signal(self._kind.ending)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self, deadline: float) -> None:
        if time.monotonic() > deadline:
            raise AbsentError(f"the server doesn't start: {_last_line(self._log)}")
        if self._process is not None:
            time.sleep(0.2)  # it ended by itself: not all at once again
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*_leash(), *self._kind.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a ^C ends the eval, which then ends the server
                **_account(),
            )


@contextmanager
def workspace() -> Iterator[Path]:
    """Give a new folder that servers under another account can enter; it is removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="dblore-"))
    folder.chmod(0o755)
    try:
        with _ended_by_signals():
            yield folder.resolve()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres(folder: Path) -> Iterator[Server]:
    """Run a PostgreSQL server in `folder`, with a database of fixed name and its superuser.

    Raises:
        AbsentError: its programs or the driver aren't there, or it doesn't start.
    """
    initdb, program = _program("initdb"), _program("postgres")
    home, data, port = _home(folder, "postgres"), folder / "postgres" / "data", free_port()
    _run([initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8",
          "--locale=C"], home)  # fmt: skip
    settings = [f"--{name}={value}" for name, value in _POSTGRES_SETTINGS.items()]
    command = (program, "-D", str(data), "-k", str(home), "-p", str(port), *settings)
    with _served(Server(_Kind(command, _to_postgres, signal.SIGQUIT), port, home)) as server:
        yield server


@contextmanager
def mariadb(folder: Path) -> Iterator[Server]:
    """Run a MariaDB server in `folder`, whose root may read and write the server's files.

    Raises:
        AbsentError: its programs or the driver aren't there, or it doesn't start.
    """
    install, program = _program("mariadb-install-db"), _program("mariadbd")
    home, port = _home(folder, "mariadb"), free_port()
    options = home / "my.cnf"
    own = f"datadir={home}/data\nsocket={home}/socket\nport={port}\npid-file={home}/pid\n"
    options.write_text(f"[mysqld]\n{own}{_MARIADB_SETTINGS}", encoding="utf-8")
    named = f"--defaults-file={options}"
    _run([install, named, "--auth-root-authentication-method=normal", "--skip-test-db"], home)
    with _served(
        Server(_Kind((program, named), _to_mariadb, signal.SIGKILL), port, home)
    ) as server:
        yield server


class Listener:
    """A port on which nothing is served, but whose callers are counted."""

    def __init__(self) -> None:
        self.count = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                caller, _ = self._socket.accept()
                self.count += 1
                caller.close()

    def close(self) -> None:
        """Take no more calls."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for calls
        self._socket.close()


def free_port() -> int:
    """Return a port of this machine that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def _served(server: Server) -> Iterator[Server]:
    try:
        server.connect().close()
        yield server
    finally:
        server.stop()


def _to_postgres(port: int) -> Any:
    try:
        import psycopg
    except ModuleNotFoundError as error:
        raise AbsentError("the driver psycopg isn't installed") from error
    address = f"host=127.0.0.1 port={port} user=postgres dbname=postgres connect_timeout=5"
    return psycopg.connect(address, autocommit=True)


def _to_mariadb(port: int) -> Any:
    try:
        import pymysql
    except ModuleNotFoundError as error:
        raise AbsentError("the driver PyMySQL isn't installed") from error
    return pymysql.connect(host="127.0.0.1", port=port, user="root", autocommit=True)


def _program(name: str) -> str:
    found = shutil.which(name)
    for pattern in _PROGRAMS if found is None else ():
        found = found or next(
            (str(p / name) for p in sorted(Path("/").glob(pattern[1:])) if (p / name).exists()),
            None,
        )
    if found is None:
        raise AbsentError(f"the program {name} isn't installed")
    return str(Path(found).resolve())  # PostgreSQL looks for its other files from there


def _home(folder: Path, name: str) -> Path:
    home = folder / name
    home.mkdir()
    account = _account()
    if account:
        os.chown(home, account["user"], account["group"])
    return home


def _account() -> Mapping[str, Any]:
    """Return as whom to run a server: PostgreSQL refuses to run as root, with good reason."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return {}
    import pwd  # there is none where there is no root

    for name in _ACCOUNTS:
        with suppress(KeyError):
            found = pwd.getpwnam(name)
            return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    raise AbsentError("a server can't run as root, and there is no other account")


def _leash() -> Sequence[str]:
    """Return what ends a server even when this process is killed, where the system can."""
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    return (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()


def _run(command: Sequence[str], home: Path) -> None:
    log = home / "install.log"
    with log.open("wb") as file:
        done = subprocess.run(
            list(command),
            cwd=home,
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
            **_account(),
        )
    if done.returncode:
        raise AbsentError(f"{Path(command[0]).name} fails: {_last_line(log)}")


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    return lines[-1] if lines else "it says nothing"


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Turn a polite request to end into an exception, so that servers and folders go, too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    numbers = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
    before = {number: signal.signal(number, leave) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
