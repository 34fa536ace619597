"""One record per table; the fields are the columns, in the order of schema.sql."""

from typing import NamedTuple


class Country(NamedTuple):
    """A row of `country`."""

    country_code: str
    country_name: str
    region_code: str
    tz_zone: str
    ships_to: int


class FxRate(NamedTuple):
    """A row of `fx_rate`."""

    currency_code: str
    rate_month: str
    eur_per_unit: float


class Address(NamedTuple):
    """A row of `address`."""

    address_id: int
    line1: str
    line2: str | None
    line3: None
    postal_code: str
    city: str
    country_code: str
    is_deleted: int
    created_at: str
    updated_at: str
    row_guid: str


class Warehouse(NamedTuple):
    """A row of `whs`."""

    whs_id: int
    whs_code: str
    whs_name: str
    whs_type: str
    city: str
    country_code: str
    tz_name: str
    site_lead_id: int | None


class Employee(NamedTuple):
    """A row of `employee`."""

    employee_id: int
    emp_no: str
    first_name: str
    last_name: str
    work_email: str
    private_phone: str | None
    birth_date: str
    job_title: str
    dept_code: str
    manager_id: int | None
    whs_id: int | None
    hired_on: str
    left_on: str


class Customer(NamedTuple):
    """A row of `customer`."""

    customer_id: int
    cust_no: str
    customer_type: str
    first_name: str | None
    last_name: str | None
    company_name: str | None
    vat_no: str | None
    email: str
    phone: str | None
    birth_date: str | None
    iban_last4: str | None
    address_id: int
    account_manager_id: int | None
    card_tier: str | None
    credit_limit_cents: int | None
    email_sent_count: int
    phone_orders: int
    newsletter: str
    created_at: str
    updated_at: str
    updated_by: str
    deleted_at: str | None
    row_guid: str


class Category(NamedTuple):
    """A row of `category`."""

    category_id: int
    parent_id: int | None
    category_name: str
    sort_no: int


class Brand(NamedTuple):
    """A row of `brand`."""

    brand_id: int
    brand_name: str
    country_code: str
    own_label: int


class Supplier(NamedTuple):
    """A row of `supplier`."""

    supplier_id: int
    supplier_name: str
    contact_name: str
    contact_email: str
    country_code: str
    currency_code: str
    lead_time_days: int
    rating: str
    created_at: str
    updated_at: str
    updated_by: str


class Product(NamedTuple):
    """A row of `product`."""

    product_id: int
    sku: str
    product_name: str
    product_type: str
    product_status: int
    category_id: int
    brand_id: int
    supplier_id: int
    season_code: str
    weight_g: int
    hazmat_class: None
    launched_on: str | None
    withdrawn_on: str | None
    is_deleted: int
    created_at: str
    updated_at: str
    updated_by: str
    row_guid: str


class Price(NamedTuple):
    """A row of `product_price`."""

    product_id: int
    price_list: str
    valid_from: str
    valid_to: str
    price_cents: int


class KitComponent(NamedTuple):
    """A row of `kit_component`."""

    kit_product_id: int
    component_product_id: int
    qty: int


class Tag(NamedTuple):
    """A row of `tag`."""

    tag_id: int
    tag_name: str
    tag_group: str


class ProductTag(NamedTuple):
    """A row of `product_tag`."""

    product_id: int
    tag_id: int


class Promo(NamedTuple):
    """A row of `promo`."""

    promo_id: int
    promo_code: str
    promo_name: str
    disc_type: str
    disc_value: int
    min_order_cents: int
    audience: str
    starts_on: str
    ends_on: str


class Order(NamedTuple):
    """A row of `sales_order`."""

    order_id: int
    order_no: str
    customer_id: int
    bill_to_address_id: int
    ship_to_address_id: int
    order_status: int
    channel_code: str
    promo_id: int | None
    sales_rep_id: int | None
    ship_from_whs_id: int
    ordered_at_utc: str
    ordered_at_local: str
    cancelled_at_utc: str | None
    goods_cents: int
    discount_cents: int
    shipping_cents: int
    total_cents: int
    currency_code: str
    customer_ref: str | None
    legacy_ref: None
    created_at: str
    updated_at: str
    updated_by: str
    row_guid: str


class Shipment(NamedTuple):
    """A row of `shipment`."""

    shipment_id: int
    order_id: int
    whs_id: int
    carrier_code: str
    tracking_no: str
    shipment_status: str
    shipped_at_utc: str
    delivered_at_utc: str | None
    freight_cost_cents: int


class OrderLine(NamedTuple):
    """A row of `sales_order_line`."""

    order_id: int
    line_no: int
    product_id: int
    shipment_id: int | None
    line_status: str
    qty: int
    unit_price_cents: int
    disc_pct: int
    line_total_cents: int


class Payment(NamedTuple):
    """A row of `payment`."""

    payment_id: int
    order_id: int
    method_code: str
    payment_status: str
    amount_cents: int
    card_last4: str | None
    due_on: str | None
    created_at_utc: str
    settled_at_utc: str | None


class ReturnItem(NamedTuple):
    """A row of `return_item`."""

    return_id: int
    order_id: int
    line_no: int
    qty: int
    reason_code: int
    condition_code: str | None
    return_status: str
    requested_on: str
    closed_on: str | None
    refund_cents: int
    whs_id: int


class PurchaseOrder(NamedTuple):
    """A row of `purchase_order`."""

    po_id: int
    po_no: str
    supplier_id: int
    whs_id: int
    buyer_id: int
    po_status: int
    currency_code: str
    fx_month: str
    ordered_on: str
    expected_on: str
    received_on: str | None


class PurchaseLine(NamedTuple):
    """A row of `po_line`."""

    po_id: int
    line_no: int
    product_id: int
    qty_ordered: int
    qty_received: int
    unit_cost_cents: int


class Transfer(NamedTuple):
    """A row of `stock_transfer`."""

    transfer_id: int
    product_id: int
    from_whs_id: int
    to_whs_id: int
    qty: int
    transfer_status: str
    sent_on: str
    received_on: str | None


class Movement(NamedTuple):
    """A row of `inv_mvmt`."""

    mvmt_id: int
    whs_id: int
    product_id: int
    mvmt_type: str
    reference_id: int
    qty_delta: int
    moved_at_utc: str
    moved_at_local: str


class StockLevel(NamedTuple):
    """A row of `stock_level`."""

    whs_id: int
    product_id: int
    on_hand: int
    reserved: int
    reorder_point: int
    counted_on: str


class Review(NamedTuple):
    """A row of `product_review`."""

    review_id: int
    product_id: int
    customer_id: int
    stars: int
    title: str
    body: str | None
    is_verified: int
    helpful_count: int
    posted_at_utc: str
    is_deleted: int


class CrmNote(NamedTuple):
    """A row of `legacy_crm_notes`."""

    note_no: int
    cust_no: str
    note_dt: str
    note_type: str
    note_txt: str
    agent_init: str
    src_sys: str


class CustomerBackup(NamedTuple):
    """A row of `customer_bak_2023`."""

    cust_no: str
    customer_type: str
    first_name: str | None
    last_name: str | None
    company_name: str | None
    email: str
    phone: str | None
    bak_dt: str
