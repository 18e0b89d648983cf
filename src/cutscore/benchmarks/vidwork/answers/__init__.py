"""How answers are read: listed steps, an order, a verdict on a description, key terms."""
