"""Six websites and a home page that work: one application on loopback, with logins, forms and a database.

They stand in for the published sites, whose programs cannot be shipped: addresses, element hooks, helpers and account
names are those that released tasks read. A site is a folder here:

    schema.sql      its tables
    seeding.py      fills them from a seed
    pages.py …      what it shows and takes
    templates/      its pages

`website.py` says what a site is, `visit.py` what a page has to work with, `state.py` what is kept and put back,
`serving.py` how all of it is served, once for each task that runs.
"""
