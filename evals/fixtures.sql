-- The tables that the statements of the guard's corpora read, with a few rows, as
-- evals/guard_tables.py names them. Read by evals/guard_engines.py; for every eval that runs them.
-- One statement a line. {q} stands for the dialect's quote of names, {json} for its JSON type.
CREATE TABLE customers(id INT PRIMARY KEY, name VARCHAR(80), email VARCHAR(120), country VARCHAR(2), created_at TIMESTAMP NULL);
CREATE TABLE orders(id INT PRIMARY KEY, customer_id INT, amount DECIMAL(12,2), status VARCHAR(20), ordered_at TIMESTAMP NULL);
CREATE TABLE order_items(order_id INT, sku VARCHAR(20), qty INT, price DECIMAL(10,2));
CREATE TABLE employees(id INT PRIMARY KEY, name VARCHAR(80), manager_id INT, dept VARCHAR(20), salary INT, hired DATE);
CREATE TABLE audit_log(id INT, {q}update{q} VARCHAR(40), {q}delete{q} VARCHAR(40), {q}drop{q} INT, {q}order{q} INT, action VARCHAR(40), note VARCHAR(400), payload {json});
CREATE TABLE {q}grant{q}({q}select{q} INT, {q}a;b{q} INT, {q}-- c{q} INT);
CREATE TABLE trades(symbol VARCHAR(8), ts TIMESTAMP NULL, qty INT);
CREATE TABLE prices(symbol VARCHAR(8), ts TIMESTAMP NULL, price DECIMAL(10,2));
INSERT INTO customers VALUES (1,'Mira','mira@example.org','SI','2024-01-02 03:04:05'),(2,'Tove','tove@example.org','NO','2024-02-03 00:00:00'),(3,'Ibo','ibo@example.org','TR','2024-03-04 10:00:00');
INSERT INTO orders VALUES (1,1,10.50,'paid','2024-05-01 10:00:00'),(2,1,20.00,'open','2024-05-03 11:00:00'),(3,2,99.90,'paid','2024-06-01 12:30:00'),(4,3,5.25,'void','2024-06-11 08:00:00');
INSERT INTO order_items VALUES (1,'A-1',2,5.25),(2,'B-2',1,20.00),(3,'C-3',3,33.30);
INSERT INTO employees VALUES (1,'Root',NULL,'ops',100,'2020-01-01'),(2,'Middle',1,'ops',80,'2021-02-01'),(3,'Leaf',2,'dev',60,'2022-03-01');
INSERT INTO audit_log VALUES (1,'u','d',0,1,'DELETE','drop table; -- only said','{"tags":["a","b"],"k":{"n":1}}'),(2,'v','e',1,2,'insert','SELECT * INTO x','{"tags":[],"k":{"n":2}}');
INSERT INTO {q}grant{q} VALUES (1,2,3);
INSERT INTO trades VALUES ('X','2024-01-01 10:00:05',5),('X','2024-01-01 10:01:05',7);
INSERT INTO prices VALUES ('X','2024-01-01 10:00:00',100),('X','2024-01-01 10:01:00',101);
