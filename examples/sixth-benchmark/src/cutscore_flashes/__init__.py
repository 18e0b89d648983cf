"""How often does the screen flash?"""
