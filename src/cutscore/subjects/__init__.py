"""Who is measured. Subjects see an ask and a work context, and never stage, scoring or authoring."""
