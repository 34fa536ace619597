"""What the guard costs: milliseconds a statement, for statements of some 600 characters."""

from __future__ import annotations

import statistics
import time
from typing import Any

from pipeline.database import guard
from schemas.facts import Catalog, Column, Table

LIMIT_MILLISECONDS = 2.0
_DIALECTS = {"postgres": "public", "mysql": None, "sqlite": None, "duckdb": "main"}
_SIZES = (10, 1_000)
_TABLES = "customers orders order_items employees prices products stores regions visits payments"
_COLUMNS = """
id name email country created_at customer_id amount status ordered_at order_id sku qty price
manager_id dept salary hired region_id product_id store_id
"""

STATEMENTS = (
    """
    SELECT customers.country,
           COUNT(DISTINCT orders.id) AS number_of_orders,
           SUM(orders.amount) AS total_amount,
           AVG(orders.amount) AS average_amount
    FROM orders
    JOIN customers ON customers.id = orders.customer_id
    WHERE orders.status = 'paid'
      AND orders.ordered_at >= '2024-01-01'
      AND orders.ordered_at < '2025-01-01'
      AND customers.country IN ('GB', 'FI', 'US', 'DE')
    GROUP BY customers.country
    HAVING SUM(orders.amount) > 1000
    ORDER BY total_amount DESC, customers.country
    LIMIT 20
    """,
    """
    WITH monthly_totals AS (
        SELECT customer_id, status, SUM(amount) AS total, COUNT(*) AS number_of_orders
        FROM orders
        WHERE status <> 'void'
        GROUP BY customer_id, status
    )
    SELECT customers.name, monthly_totals.status, monthly_totals.total,
           ROW_NUMBER() OVER (PARTITION BY monthly_totals.status
                              ORDER BY monthly_totals.total DESC) AS position_in_status
    FROM monthly_totals
    JOIN customers ON customers.id = monthly_totals.customer_id
    WHERE monthly_totals.number_of_orders > 2
    ORDER BY monthly_totals.status, position_in_status
    """,
    """
    SELECT products.name AS product_name,
           regions.name AS region_name,
           SUM(order_items.qty * order_items.price) AS revenue,
           SUM(CASE WHEN orders.status = 'returned' THEN order_items.qty ELSE 0 END) AS returned
    FROM order_items
    JOIN orders ON orders.id = order_items.order_id
    JOIN products ON products.id = order_items.product_id
    LEFT JOIN stores ON stores.id = orders.store_id
    LEFT JOIN regions ON regions.id = stores.region_id
    WHERE orders.ordered_at BETWEEN '2024-01-01' AND '2024-12-31'
      AND products.status NOT IN ('withdrawn', 'draft')
    GROUP BY products.name, regions.name
    ORDER BY revenue DESC
    """,
    """
    SELECT employees.dept,
           employees.name,
           employees.salary,
           employees.salary - AVG(employees.salary) OVER (PARTITION BY employees.dept) AS above,
           RANK() OVER (PARTITION BY employees.dept ORDER BY employees.salary DESC) AS position
    FROM employees
    WHERE employees.hired < '2023-06-30'
      AND EXISTS (
          SELECT 1 FROM stores
          WHERE stores.manager_id = employees.id AND stores.country = 'FI'
      )
      AND LOWER(employees.name) LIKE '%son%'
      AND employees.dept IS NOT NULL
    ORDER BY employees.dept, position, employees.name
    LIMIT 100
    """,
    """
    SELECT customers.name,
           customers.email,
           COALESCE(paid.total, 0) AS total_paid,
           (SELECT MAX(visits.created_at) FROM visits
            WHERE visits.customer_id = customers.id) AS latest_visit
    FROM customers
    LEFT JOIN (
        SELECT payments.customer_id, SUM(payments.amount) AS total
        FROM payments
        WHERE payments.status = 'settled'
        GROUP BY payments.customer_id
    ) AS paid ON paid.customer_id = customers.id
    WHERE customers.created_at >= '2023-01-01'
      AND (customers.country = 'GB' OR customers.country = 'IE')
    ORDER BY total_paid DESC, customers.name
    LIMIT 50
    """,
)
"""Of the kind that analysts and models write, in SQL that all engines share."""


def measure(rounds: int = 15) -> dict[str, Any]:
    """Return the median of each dialect and catalogue size, and the largest of them."""
    found = {
        f"{dialect}, {size} tables": round(_median(_catalog(dialect, size), rounds), 3)
        for dialect in _DIALECTS
        for size in _SIZES
    }
    lengths = [len(sql) for sql in STATEMENTS]
    return {
        "median_milliseconds": found,
        "largest": max(found.values()),
        "limit": LIMIT_MILLISECONDS,
        "characters": {"shortest": min(lengths), "longest": max(lengths)},
    }


def _median(catalog: Catalog, rounds: int) -> float:
    for sql in STATEMENTS:
        guard.check(sql, catalog.dialect, catalog=catalog)
    taken = []  # processor time: a check only computes, and others may keep the machine busy
    for _ in range(rounds):
        for sql in STATEMENTS:
            start = time.thread_time()
            guard.check(sql, catalog.dialect, catalog=catalog)
            taken.append((time.thread_time() - start) * 1_000)
    return statistics.median(taken)


def _catalog(dialect: str, size: int) -> Catalog:
    names = _TABLES.split()
    names = [f"archive_{number}" for number in range(size - len(names))] + names
    columns = tuple(Column(name, native_type="", family="other") for name in _COLUMNS.split())
    return Catalog(
        dialect=dialect,
        database="shop",
        default_schema=_DIALECTS[dialect],
        tables=tuple(Table(name, name, columns=columns) for name in sorted(names)),
    )
