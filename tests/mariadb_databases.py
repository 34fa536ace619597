"""Databases on the MariaDB server of the tests, made and dropped by its administrator."""

import os
from contextlib import closing, contextmanager
from dataclasses import replace

from sqlalchemy import make_url


def own(name):
    """Return a name that no other run of the tests uses at the same time."""
    return f"dblore_{name}_{os.getpid()}"


@contextmanager
def session(url):
    """Yield what runs statements, in one session."""
    import pymysql  # an absent driver skips all of these tests

    at = make_url(url)
    login = {"host": at.host, "port": at.port or 3306, "user": at.username}
    where = {**login, "password": at.password or "", "database": at.database or None}
    with closing(pymysql.connect(**where, ssl_disabled=True)) as raw:
        cursor = raw.cursor()

        def run_all(*statements):
            for statement in statements:
                cursor.execute(statement)

        yield run_all
        raw.commit()


def run(url, *statements):
    """Run statements in one session."""
    with session(make_url(url).set(database="")) as run_all:
        run_all(*statements)


def named(source, **parts):
    """Return the source with other parts of its URL, such as `database`."""
    url = make_url(source.url).set(**parts).render_as_string(hide_password=False)
    return replace(source, url=url, shown=f"{source.shown.rpartition('/')[0]}/{parts['database']}")
