"""Models to JSON and back, and the JSON Schema of a model: one place for all artifacts.

Fields that hold their default are left out of the JSON; a reader fills them in. A tuple is an
array, a `dict[str, …]` an object, a nested model an object, a `Literal` an enum.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Model = TypeVar("Model")
Json = dict[str, Any]


def to_json(model: Any) -> Json:
    """Return `model`, an instance of a dataclass, as JSON values without its defaults."""
    return cast("Json", _encode(model))


def from_json(cls: type[Model], data: Json) -> Model:
    """Build a `cls` from what `to_json` made.

    Raises:
        ValueError: a field is missing, unknown or of another type; the text says which.
    """
    decode: Callable[[Any], Model] = _decoder(cast("Hashable", cls))
    return decode(data)


def format_of(cls: type[Any]) -> str:
    """Return the format name and version that an artifact's model stands for."""
    return str(dict(_defaults(cast("Hashable", cls)))["format"])


def json_schema(cls: type[Any], *, title: str) -> Json:
    """Return the JSON Schema (2020-12) that every `to_json` of a `cls` satisfies."""
    definitions: Json = {}
    root = _model_schema(cls, definitions)
    schema: Json = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **root,
    }
    if definitions:
        schema["$defs"] = dict(sorted(definitions.items()))
    return schema


def _encode(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        encoded: Json = {}
        for name, default in _defaults(type(value)):
            item = getattr(value, name)
            if name == "format" or not _same(item, default):
                encoded[name] = _encode(item)
        return encoded
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _encode(item) for key, item in value.items()}
    return value


def _same(item: Any, default: Any) -> bool:
    return type(item) is type(default) and bool(item == default)


@cache
def _defaults(cls: Any) -> tuple[tuple[str, Any], ...]:
    pairs: list[tuple[str, Any]] = []
    for field in dataclasses.fields(cls):
        default: Any = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        pairs.append((field.name, default))
    return tuple(pairs)


@cache
def _decoder(hint: Hashable) -> Callable[[Any], Any]:
    """Return a function that turns a JSON value into a value of the type `hint`."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _model_decoder(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple:
        item = _decoder(arguments[0])
        return lambda value: tuple([item(v) for v in _expect(value, list)])
    if origin is dict:
        entry = _decoder(arguments[1])
        return lambda value: {k: entry(v) for k, v in _expect(value, dict).items()}
    if origin in (Union, types.UnionType) and types.NoneType in arguments:
        inner = [a for a in arguments if a is not types.NoneType]
        if len(inner) == 1:
            one = _decoder(inner[0])
            return lambda value: None if value is None else one(value)
    return _plain_decoder(hint)


def _plain_decoder(hint: Any) -> Callable[[Any], Any]:
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        return lambda value: _one_of(value, allowed)
    if hint is float:
        return lambda value: float(_expect(value, (int, float)))
    if get_origin(hint) in (Union, types.UnionType):
        kinds = tuple(get_args(hint))
        return lambda value: _expect(value, kinds)
    return lambda value: _expect(value, hint)


def _model_decoder(cls: type[Any]) -> Callable[[Any], Any]:
    hints = get_type_hints(cls)
    known = {field.name: _decoder(hints[field.name]) for field in dataclasses.fields(cls)}

    def decode(value: Any) -> Any:
        arguments = {}
        for name, item in _expect(value, dict).items():
            decode_field = known.get(name)
            if decode_field is None:
                raise ValueError(f"{cls.__name__} has no field {name!r}")
            arguments[name] = decode_field(item)
        try:
            return cls(**arguments)
        except TypeError as error:
            raise ValueError(f"{cls.__name__}: {error}") from error

    if "__slots__" not in vars(cls) or hasattr(cls, "__post_init__"):
        return decode
    return _written_out(cls, known, decode)


def _written_out(
    cls: type[Any], known: dict[str, Callable[[Any], Any]], careful: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """Return `careful`, written out field by field: a third of its time for millions of objects.

    What isn't as expected is left to `careful`, which says what is wrong.
    """
    hints = get_type_hints(cls)
    names: dict[str, Any] = {"careful": careful, "absent": object(), "cls": cls}
    names["new"] = object.__new__
    lines = ["def decode(value):", " if type(value) is not dict: return careful(value)"]
    lines += [" get, left, made = value.get, len(value), new(cls)"]
    for n, field in enumerate(dataclasses.fields(cls)):
        names |= {f"plain{n}": _kept_as_is(hints[field.name]), f"decode{n}": known[field.name]}
        names |= {f"set{n}": vars(cls)[field.name].__set__, f"default{n}": field.default}
        otherwise = f"item = default{n}"
        if field.default_factory is not dataclasses.MISSING:
            names[f"factory{n}"] = field.default_factory
            otherwise = f"item = factory{n}()"
        elif field.default is dataclasses.MISSING:
            otherwise = "return careful(value)"
        lines += [
            f" item = get({field.name!r}, absent)",
            f" if item is absent: {otherwise}",
            " else:",
            "  left -= 1",
            f"  if type(item) not in plain{n}: item = decode{n}(item)",
            f" set{n}(made, item)",
        ]
    lines += [" return careful(value) if left else made"]
    exec("\n".join(lines), names)  # noqa: S102 - our own fields' names, as dataclasses do it
    decode: Callable[[Any], Any] = names["decode"]
    return decode


def _kept_as_is(hint: Any) -> frozenset[type]:
    """Return the types of JSON values that stand for themselves where the hint is `hint`."""
    kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    plain = {str, int, float, bool, types.NoneType}
    return frozenset(kind for kind in kinds if kind in plain)


def _expect(value: Any, kind: Any) -> Any:
    wrong_bool = isinstance(value, bool) and kind in (int, (int, float))
    if wrong_bool or not isinstance(value, kind):
        raise ValueError(f"found {type(value).__name__} {value!r:.60}")
    return value


def _one_of(value: Any, allowed: tuple[Any, ...]) -> Any:
    if value not in allowed:
        raise ValueError(f"found {value!r:.60}, expected one of {', '.join(map(str, allowed))}")
    return value


def _model_schema(cls: type[Any], definitions: Json) -> Json:
    hints = get_type_hints(cls)
    properties: Json = {}
    required: list[str] = []
    for field in dataclasses.fields(cls):
        properties[field.name] = _type_schema(hints[field.name], definitions)
        has_default = (
            field.default is not dataclasses.MISSING
            or field.default_factory is not dataclasses.MISSING
        )
        if not has_default or field.name == "format":
            required.append(field.name)
    summary = (cls.__doc__ or "").strip().split("\n")[0]
    schema: Json = {"type": "object", "description": summary, "properties": properties}
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": False}


def _type_schema(hint: Any, definitions: Json) -> Json:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        name = hint.__name__
        if name not in definitions:
            definitions[name] = {}
            definitions[name] = _model_schema(hint, definitions)
        return {"$ref": f"#/$defs/{name}"}
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple:
        return {"type": "array", "items": _type_schema(arguments[0], definitions)}
    if origin is dict:
        return {
            "type": "object",
            "additionalProperties": _type_schema(arguments[1], definitions),
        }
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        options = [_type_schema(a, definitions) for a in arguments]
        names = [o.get("type") for o in options]
        if all(isinstance(n, str) and len(o) == 1 for n, o in zip(names, options, strict=True)):
            return {"type": names}
        return {"anyOf": options}
    plain = {str: "string", int: "integer", float: "number", bool: "boolean"}
    return {"type": "null" if hint is types.NoneType else plain[hint]}
