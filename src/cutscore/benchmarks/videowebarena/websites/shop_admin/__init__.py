"""The shop's back office: products, orders, customers, reviews, price rules, content pages, and reports by date."""
