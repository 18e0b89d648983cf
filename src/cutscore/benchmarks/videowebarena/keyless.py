"""Who needs no key. There is nobody to guess here: what is asked for is a state of a site or a free answer."""
