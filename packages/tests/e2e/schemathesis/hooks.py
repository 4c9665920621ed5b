"""What schemathesis does not know by itself of this API."""

import json
import re

import schemathesis

# Codes of faults that a JSON Schema can say. A request that the document's schemas take is never refused with one.
SAYABLE = {
    "invalid_type",
    "invalid_value",
    "not_a_number",
    "not_an_integer",
    "required",
    "too_few",
    "too_large",
    "too_long",
    "too_many",
    "too_short",
    "too_small",
    "unknown_field",
}

# Where it depends on what is stored, or on the rest of the rule, which fields there may be.
MERGED = re.compile(r"^/config/|^(/rules/\d+|/rule)?/overrides/\d+/")


@schemathesis.serializer("application/x-ndjson")
def ndjson(_context, value):
    return value.encode() if isinstance(value, str) else f"{json.dumps(value)}\n".encode()


@schemathesis.check
def refused_for_what_no_schema_says(_context, response, case):
    """A valid request may be refused only for what lies beyond a schema: two fields that do not fit, a stale version."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    # What a patch lacks may be missing only from what it comes to.
    sayable = SAYABLE - {"required"} if case.method == "PATCH" else SAYABLE
    errors = response.json()["errors"]
    faults = [fault for fault in errors if fault["code"] in sayable and not MERGED.match(fault["path"])]
    assert not faults, f"The document does not say why this is refused: {json.dumps(faults[:3])}"
