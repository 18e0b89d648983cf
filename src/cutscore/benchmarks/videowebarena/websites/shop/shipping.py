"""How an order is shipped and paid."""

from dataclasses import dataclass

from cutscore.benchmarks.videowebarena.websites.shop.seeding_orders import PAYMENT, SHIPPING, SHIPPING_CENTS


@dataclass(frozen=True)
class ShippingMethod:
    """A way to ship, and what it costs for each item, in cents."""

    label: str
    cents: int

    def cost(self, items: int) -> int:
        """Return what it costs for so many items."""
        return self.cents * items


METHODS = {"flatrate": ShippingMethod(SHIPPING, SHIPPING_CENTS), "pickup": ShippingMethod("Store Pickup - Free", 0)}
PAYMENTS = {"checkmo": PAYMENT, "cashondelivery": "Cash On Delivery"}
