"""Packs from footage: the recipe, keyframes with blurred faces, and a probe for texts that give answers away."""
