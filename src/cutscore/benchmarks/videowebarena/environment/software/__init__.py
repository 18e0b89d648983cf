"""Programs that nobody here wrote, as sites of the pack `software`: a shop, a forum, and a tracker of tickets.

    shop.py      django-oscar: shop and dashboard
    forum.py     django-machina
    tracker.py   Trac: tickets, wiki, repository
    site_server.py   what the three have in common: they are served on loopback, and put back by a POST
    start.py     starts them from where they are installed, and writes their addresses

The first three run in a process of their own, with the folder on its path into which the programs were installed.
"""
