"""Words that names are drawn from."""


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


ISLAND, TOWN, RIVER, LAKE = "Sandholm", "Ellerby", "River Eller", "Eller Water"
VILLAGES = ("Saltmarsh", "Oakhollow", "Northwick", "Fenmoor", "Westering", "Highcliff", "Gullhaven")
# By whether it lies north of the river, and east of the middle.
QUARTERS = {
    (True, False): "Northgate",
    (True, True): "Parkside",
    (False, False): "Old Town",
    (False, True): "Millfield",
}
STREETS = _split("""
    Alder Anchor Barley Beacon Birch Blossom Bramble Brewer Canal Castle Cedar Chapel Cherry Clover Cooper Copper Crane
    Dyer Elm Falcon Fern Ferry Fisher Garden Glover Granary Harbour Hawthorn Hazel Heather Heron Holly Juniper Kiln
    Lantern Larch Laurel Linden Lock Maple Mason Meadow Mill Orchard Otter Poplar Potter Quarry Quay Rowan Saddler
    Sailmaker Sorrel Sparrow Spring Swan Tanner Thistle Tower Union Walnut Weaver Willow Windmill Wren Yarrow
""")
LOOKS = _split("Blue Copper Crooked Golden Green Little Merry Old Quiet Red Round Silver Sleepy Wandering White")
THINGS = _split("""
    Acorn Anchor Bell Compass Fox Harp Hedgehog Heron Kettle Lantern Otter Owl Pebble Plum Rooster Spoon Swallow Teapot
    Wheel Whale
""")
SURNAMES = _split("""
    Abbott Archer Bellamy Birkett Carver Dalton Ellison Fairley Garrick Hale Hobbs Iverson Jessop Kemble Larkin Marlow
    Nolan Osgood Penrose Quayle Radley Sefton Tilney Underhill Vickers Wainwright Yardley Ackroyd Bowen Crossley
""")
TOPICS = _split("Clock Costume Fishing Glass Maritime Pottery Printing Toy")
