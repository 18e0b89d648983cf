"""The glue to Inspect: item → sample, handover, findings → score, cells that resume, log → rows."""
