-- The source database of the demo: Fellhaven Outdoor, online shop and wholesale.
CREATE TABLE country (
    country_code CHAR(2) NOT NULL PRIMARY KEY,
    country_name VARCHAR(40) NOT NULL UNIQUE,
    region_code CHAR(4) NOT NULL CHECK (region_code IN ('EU  ', 'EFTA', 'UK  ', 'NA  ', 'ASIA')),
    tz_zone VARCHAR(4) NOT NULL,
    ships_to INTEGER NOT NULL CHECK (ships_to IN (0, 1))
);

CREATE TABLE fx_rate (
    currency_code CHAR(3) NOT NULL,
    rate_month DATE NOT NULL,
    eur_per_unit DECIMAL(10, 5) NOT NULL CHECK (eur_per_unit > 0),
    PRIMARY KEY (currency_code, rate_month)
);

CREATE TABLE address (
    address_id INTEGER PRIMARY KEY,
    line1 VARCHAR(80) NOT NULL,
    line2 VARCHAR(80),
    line3 VARCHAR(80),
    postal_code VARCHAR(12) NOT NULL,
    city VARCHAR(40) NOT NULL,
    country_code CHAR(2) NOT NULL REFERENCES country (country_code),
    is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    row_guid CHAR(36) NOT NULL UNIQUE
);

CREATE TABLE whs (
    whs_id INTEGER PRIMARY KEY,
    whs_code CHAR(4) NOT NULL UNIQUE,
    whs_name VARCHAR(40) NOT NULL,
    whs_type CHAR(1) NOT NULL CHECK (whs_type IN ('D', 'R', 'X')),
    city VARCHAR(40) NOT NULL,
    country_code CHAR(2) NOT NULL REFERENCES country (country_code),
    tz_name VARCHAR(40) NOT NULL,
    site_lead_id INTEGER REFERENCES employee (employee_id)
);

CREATE TABLE employee (
    employee_id INTEGER PRIMARY KEY,
    emp_no CHAR(6) NOT NULL UNIQUE,
    first_name VARCHAR(40) NOT NULL,
    last_name VARCHAR(40) NOT NULL,
    work_email VARCHAR(80) NOT NULL UNIQUE,
    private_phone VARCHAR(24),
    birth_date DATE NOT NULL,
    job_title VARCHAR(40) NOT NULL,
    dept_code CHAR(4) NOT NULL,
    manager_id INTEGER REFERENCES employee (employee_id),
    whs_id INTEGER REFERENCES whs (whs_id),
    hired_on DATE NOT NULL,
    left_on DATE NOT NULL DEFAULT '9999-12-31'
);

CREATE TABLE customer (
    customer_id INTEGER PRIMARY KEY,
    cust_no CHAR(8) NOT NULL UNIQUE,
    customer_type CHAR(1) NOT NULL CHECK (customer_type IN ('P', 'B')),
    first_name VARCHAR(40),
    last_name VARCHAR(40),
    company_name VARCHAR(80),
    vat_no VARCHAR(16),
    email VARCHAR(80) NOT NULL,
    phone VARCHAR(24),
    birth_date DATE,
    iban_last4 CHAR(4),
    address_id INTEGER NOT NULL REFERENCES address (address_id),
    account_manager_id INTEGER REFERENCES employee (employee_id),
    card_tier CHAR(1) CHECK (card_tier IN ('B', 'S', 'G')),
    credit_limit_cents INTEGER,
    email_sent_count INTEGER NOT NULL DEFAULT 0,
    phone_orders INTEGER NOT NULL DEFAULT 0,
    newsletter CHAR(1) NOT NULL CHECK (newsletter IN ('Y', 'N')),
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    updated_by VARCHAR(12) NOT NULL,
    deleted_at DATETIME,
    row_guid CHAR(36) NOT NULL UNIQUE,
    CHECK ((customer_type = 'P' AND last_name IS NOT NULL AND company_name IS NULL)
        OR (customer_type = 'B' AND company_name IS NOT NULL AND last_name IS NULL))
);

CREATE TABLE category (
    category_id INTEGER PRIMARY KEY,
    parent_id INTEGER REFERENCES category (category_id),
    category_name VARCHAR(40) NOT NULL,
    sort_no INTEGER NOT NULL
);

CREATE TABLE brand (
    brand_id INTEGER PRIMARY KEY,
    brand_name VARCHAR(40) NOT NULL UNIQUE,
    country_code CHAR(2) NOT NULL REFERENCES country (country_code),
    own_label INTEGER NOT NULL CHECK (own_label IN (0, 1))
);

CREATE TABLE supplier (
    supplier_id INTEGER PRIMARY KEY,
    supplier_name VARCHAR(60) NOT NULL UNIQUE,
    contact_name VARCHAR(60) NOT NULL,
    contact_email VARCHAR(80) NOT NULL,
    country_code CHAR(2) NOT NULL REFERENCES country (country_code),
    currency_code CHAR(3) NOT NULL,
    lead_time_days INTEGER NOT NULL CHECK (lead_time_days > 0),
    rating CHAR(1) NOT NULL CHECK (rating IN ('A', 'B', 'C')),
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    updated_by VARCHAR(12) NOT NULL
);

CREATE TABLE product (
    product_id INTEGER PRIMARY KEY,
    sku CHAR(9) NOT NULL UNIQUE,
    product_name VARCHAR(80) NOT NULL,
    product_type CHAR(1) NOT NULL CHECK (product_type IN ('S', 'K')),
    product_status INTEGER NOT NULL CHECK (product_status IN (0, 1, 2, 3)),
    category_id INTEGER NOT NULL REFERENCES category (category_id),
    brand_id INTEGER NOT NULL REFERENCES brand (brand_id),
    supplier_id INTEGER NOT NULL REFERENCES supplier (supplier_id),
    season_code CHAR(2) NOT NULL CHECK (season_code IN ('S ', 'W ', 'AY')),
    weight_g INTEGER NOT NULL CHECK (weight_g > 0),
    hazmat_class VARCHAR(8),
    launched_on DATE,
    withdrawn_on DATE,
    is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    updated_by VARCHAR(12) NOT NULL,
    row_guid CHAR(36) NOT NULL UNIQUE
);

CREATE TABLE product_price (
    product_id INTEGER NOT NULL REFERENCES product (product_id),
    price_list CHAR(1) NOT NULL CHECK (price_list IN ('R', 'W')),
    valid_from DATE NOT NULL,
    valid_to DATE NOT NULL DEFAULT '9999-12-31',
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    PRIMARY KEY (product_id, price_list, valid_from),
    CHECK (valid_to >= valid_from)
);

CREATE TABLE kit_component (
    kit_product_id INTEGER NOT NULL REFERENCES product (product_id),
    component_product_id INTEGER NOT NULL REFERENCES product (product_id),
    qty INTEGER NOT NULL CHECK (qty > 0),
    PRIMARY KEY (kit_product_id, component_product_id),
    CHECK (kit_product_id <> component_product_id)
);

CREATE TABLE tag (
    tag_id INTEGER PRIMARY KEY,
    tag_name VARCHAR(30) NOT NULL UNIQUE,
    tag_group CHAR(3) NOT NULL CHECK (tag_group IN ('USE', 'MAT', 'ECO'))
);

CREATE TABLE product_tag (
    product_id INTEGER NOT NULL REFERENCES product (product_id),
    tag_id INTEGER NOT NULL REFERENCES tag (tag_id),
    PRIMARY KEY (product_id, tag_id)
);

CREATE TABLE promo (
    promo_id INTEGER PRIMARY KEY,
    promo_code VARCHAR(16) NOT NULL UNIQUE,
    promo_name VARCHAR(60) NOT NULL,
    disc_type CHAR(1) NOT NULL CHECK (disc_type IN ('P', 'A')),
    disc_value INTEGER NOT NULL CHECK (disc_value > 0),
    min_order_cents INTEGER NOT NULL,
    audience CHAR(1) NOT NULL CHECK (audience IN ('P', 'B')),
    starts_on DATE NOT NULL,
    ends_on DATE NOT NULL,
    CHECK (ends_on >= starts_on)
);

CREATE TABLE sales_order (
    order_id INTEGER PRIMARY KEY,
    order_no CHAR(12) NOT NULL UNIQUE,
    customer_id INTEGER NOT NULL REFERENCES customer (customer_id),
    bill_to_address_id INTEGER NOT NULL REFERENCES address (address_id),
    ship_to_address_id INTEGER NOT NULL REFERENCES address (address_id),
    order_status INTEGER NOT NULL CHECK (order_status IN (1, 2, 3, 4, 5, 9)),
    channel_code CHAR(3) NOT NULL CHECK (channel_code IN ('WEB', 'APP', 'TEL', 'REP', 'EDI')),
    promo_id INTEGER REFERENCES promo (promo_id),
    sales_rep_id INTEGER REFERENCES employee (employee_id),
    ship_from_whs_id INTEGER NOT NULL REFERENCES whs (whs_id),
    ordered_at_utc DATETIME NOT NULL,
    ordered_at_local DATETIME NOT NULL,
    cancelled_at_utc DATETIME,
    goods_cents INTEGER NOT NULL,
    discount_cents INTEGER NOT NULL DEFAULT 0,
    shipping_cents INTEGER NOT NULL DEFAULT 0,
    total_cents INTEGER NOT NULL,
    currency_code CHAR(3) NOT NULL DEFAULT 'EUR',
    customer_ref VARCHAR(20),
    legacy_ref VARCHAR(20),
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    updated_by VARCHAR(12) NOT NULL,
    row_guid CHAR(36) NOT NULL UNIQUE,
    CHECK (total_cents = goods_cents - discount_cents + shipping_cents)
);

CREATE TABLE shipment (
    shipment_id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES sales_order (order_id),
    whs_id INTEGER NOT NULL REFERENCES whs (whs_id),
    carrier_code CHAR(4) NOT NULL CHECK (carrier_code IN ('NPX ', 'PST ', 'KUR ', 'H   ', 'PAL ')),
    tracking_no VARCHAR(16) NOT NULL UNIQUE,
    shipment_status CHAR(1) NOT NULL CHECK (shipment_status IN ('T', 'D', 'L')),
    shipped_at_utc DATETIME NOT NULL,
    delivered_at_utc DATETIME,
    freight_cost_cents INTEGER NOT NULL
);

CREATE TABLE sales_order_line (
    order_id INTEGER NOT NULL REFERENCES sales_order (order_id),
    line_no INTEGER NOT NULL,
    product_id INTEGER NOT NULL REFERENCES product (product_id),
    shipment_id INTEGER REFERENCES shipment (shipment_id),
    line_status CHAR(1) NOT NULL CHECK (line_status IN ('O', 'S', 'C')),
    qty INTEGER NOT NULL CHECK (qty > 0),
    unit_price_cents INTEGER NOT NULL,
    disc_pct INTEGER NOT NULL DEFAULT 0 CHECK (disc_pct BETWEEN 0 AND 90),
    line_total_cents INTEGER NOT NULL,
    PRIMARY KEY (order_id, line_no)
);

CREATE TABLE payment (
    payment_id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES sales_order (order_id),
    method_code CHAR(2) NOT NULL CHECK (method_code IN ('CC', 'PP', 'BT', 'IN')),
    payment_status CHAR(1) NOT NULL CHECK (payment_status IN ('O', 'C', 'F', 'V', 'R')),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    card_last4 CHAR(4),
    due_on DATE,
    created_at_utc DATETIME NOT NULL,
    settled_at_utc DATETIME
);

CREATE TABLE return_item (
    return_id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL,
    line_no INTEGER NOT NULL,
    qty INTEGER NOT NULL CHECK (qty > 0),
    reason_code INTEGER NOT NULL CHECK (reason_code BETWEEN 1 AND 6),
    condition_code CHAR(1) CHECK (condition_code IN ('N', 'U', 'D')),
    return_status CHAR(1) NOT NULL CHECK (return_status IN ('R', 'A', 'X')),
    requested_on DATE NOT NULL,
    closed_on DATE,
    refund_cents INTEGER NOT NULL DEFAULT 0,
    whs_id INTEGER NOT NULL REFERENCES whs (whs_id),
    FOREIGN KEY (order_id, line_no) REFERENCES sales_order_line (order_id, line_no)
);

CREATE TABLE purchase_order (
    po_id INTEGER PRIMARY KEY,
    po_no CHAR(10) NOT NULL UNIQUE,
    supplier_id INTEGER NOT NULL REFERENCES supplier (supplier_id),
    whs_id INTEGER NOT NULL REFERENCES whs (whs_id),
    buyer_id INTEGER NOT NULL REFERENCES employee (employee_id),
    po_status INTEGER NOT NULL CHECK (po_status IN (0, 1, 3, 8)),
    currency_code CHAR(3) NOT NULL,
    fx_month DATE NOT NULL,
    ordered_on DATE NOT NULL,
    expected_on DATE NOT NULL,
    received_on DATE,
    FOREIGN KEY (currency_code, fx_month) REFERENCES fx_rate (currency_code, rate_month)
);

CREATE TABLE po_line (
    po_id INTEGER NOT NULL REFERENCES purchase_order (po_id),
    line_no INTEGER NOT NULL,
    product_id INTEGER NOT NULL REFERENCES product (product_id),
    qty_ordered INTEGER NOT NULL CHECK (qty_ordered > 0),
    qty_received INTEGER NOT NULL DEFAULT 0,
    unit_cost_cents INTEGER NOT NULL,
    PRIMARY KEY (po_id, line_no)
);

CREATE TABLE stock_transfer (
    transfer_id INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL REFERENCES product (product_id),
    from_whs_id INTEGER NOT NULL REFERENCES whs (whs_id),
    to_whs_id INTEGER NOT NULL REFERENCES whs (whs_id),
    qty INTEGER NOT NULL CHECK (qty > 0),
    transfer_status CHAR(1) NOT NULL CHECK (transfer_status IN ('T', 'R')),
    sent_on DATE NOT NULL,
    received_on DATE,
    CHECK (from_whs_id <> to_whs_id)
);

CREATE TABLE inv_mvmt (
    mvmt_id INTEGER PRIMARY KEY,
    whs_id INTEGER NOT NULL REFERENCES whs (whs_id),
    product_id INTEGER NOT NULL REFERENCES product (product_id),
    mvmt_type CHAR(1) NOT NULL CHECK (mvmt_type IN ('S', 'P', 'T')),
    reference_id INTEGER NOT NULL,
    qty_delta INTEGER NOT NULL CHECK (qty_delta <> 0),
    moved_at_utc DATETIME NOT NULL,
    moved_at_local DATETIME NOT NULL
);

CREATE TABLE stock_level (
    whs_id INTEGER NOT NULL REFERENCES whs (whs_id),
    product_id INTEGER NOT NULL REFERENCES product (product_id),
    on_hand INTEGER NOT NULL,
    reserved INTEGER NOT NULL DEFAULT 0,
    reorder_point INTEGER NOT NULL,
    counted_on DATE NOT NULL,
    PRIMARY KEY (whs_id, product_id)
);

CREATE TABLE product_review (
    review_id INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL REFERENCES product (product_id),
    customer_id INTEGER NOT NULL REFERENCES customer (customer_id),
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    title VARCHAR(60) NOT NULL,
    body VARCHAR(400),
    is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
    helpful_count INTEGER NOT NULL DEFAULT 0,
    posted_at_utc DATETIME NOT NULL,
    is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1))
);

CREATE TABLE legacy_crm_notes (
    note_no INTEGER PRIMARY KEY,
    cust_no VARCHAR(8),
    note_dt VARCHAR(10),
    note_type CHAR(1),
    note_txt VARCHAR(200),
    agent_init CHAR(3),
    src_sys CHAR(4)
);

CREATE TABLE customer_bak_2023 (
    cust_no VARCHAR(8),
    customer_type CHAR(1),
    first_name VARCHAR(40),
    last_name VARCHAR(40),
    company_name VARCHAR(80),
    email VARCHAR(80),
    phone VARCHAR(24),
    bak_dt DATE
);

CREATE TABLE gift_voucher (
    voucher_id INTEGER PRIMARY KEY,
    voucher_code VARCHAR(16) NOT NULL UNIQUE,
    customer_id INTEGER REFERENCES customer (customer_id),
    order_id INTEGER REFERENCES sales_order (order_id),
    value_cents INTEGER NOT NULL,
    voucher_status CHAR(1) NOT NULL,
    expires_on DATE NOT NULL
);

CREATE INDEX ix_address_country ON address (country_code);
CREATE INDEX ix_customer_address ON customer (address_id);
CREATE INDEX ix_product_category ON product (category_id);
CREATE INDEX ix_product_tag_tag ON product_tag (tag_id);
CREATE INDEX ix_sales_order_customer ON sales_order (customer_id);
CREATE INDEX ix_sales_order_ordered ON sales_order (ordered_at_utc);
CREATE INDEX ix_sales_order_line_product ON sales_order_line (product_id);
CREATE INDEX ix_sales_order_line_shipment ON sales_order_line (shipment_id);
CREATE INDEX ix_shipment_order ON shipment (order_id);
CREATE INDEX ix_payment_order ON payment (order_id);
CREATE INDEX ix_return_item_line ON return_item (order_id, line_no);
CREATE INDEX ix_purchase_order_supplier ON purchase_order (supplier_id);
CREATE INDEX ix_po_line_product ON po_line (product_id);
CREATE INDEX ix_inv_mvmt_reference ON inv_mvmt (mvmt_type, reference_id);
CREATE INDEX ix_inv_mvmt_product ON inv_mvmt (product_id, whs_id);
CREATE INDEX ix_product_review_product ON product_review (product_id);

CREATE VIEW v_current_price AS
SELECT
    p.product_id, p.sku,
    p.product_name,
    r.price_cents AS retail_cents,
    w.price_cents AS wholesale_cents
FROM product AS p
JOIN product_price AS r
    ON r.product_id = p.product_id AND r.price_list = 'R' AND r.valid_to = '9999-12-31'
JOIN product_price AS w
    ON w.product_id = p.product_id AND w.price_list = 'W' AND w.valid_to = '9999-12-31'
WHERE p.is_deleted = 0;

CREATE VIEW v_sales_by_month AS
SELECT
    substr(o.ordered_at_utc, 1, 7) AS sales_month,
    c.customer_type,
    COUNT(*) AS orders,
    SUM(o.goods_cents - o.discount_cents) AS net_sales_cents
FROM sales_order AS o
JOIN customer AS c ON c.customer_id = o.customer_id
WHERE o.order_status <> 9
GROUP BY substr(o.ordered_at_utc, 1, 7), c.customer_type;
