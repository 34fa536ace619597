"""The nearest name is offered where one is near, and none where only a common word is shared."""

import pytest

from pipeline.errors import nearest

CLIENT = ("id", "vat_no", "name", "order_id", "created_at", "vehicle_id")


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        pytest.param("cust_no", CLIENT, (), id="a common word alone"),
        pytest.param("user_id", CLIENT, ("id",), id="another thing's id: the word itself"),
        pytest.param("vta_no", CLIENT, ("vat_no",), id="letters swapped"),
        pytest.param("createt_at", CLIENT, ("created_at",), id="the rest is alike"),
        pytest.param("veh", CLIENT, ("vehicle_id",), id="the beginning of a name"),
        pytest.param("custid", ("customer_id", "cust_id"), ("cust_id", "customer_id"), id="parts"),
        pytest.param("distance_km", ("distance_miles",), ("distance_miles",), id="another unit"),
        pytest.param("OrderDate", ("order_date", "paid"), ("order_date",), id="case"),
        pytest.param("id", ("confidence", "residual"), (), id="two letters in the middle"),
    ],
)
def test_names_are_near_when_what_tells_them_apart_is(name, known, found):
    assert nearest(name, known) == found
