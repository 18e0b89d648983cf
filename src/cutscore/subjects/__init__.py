"""Who is measured. Subjects see an ask and a desk, and never stage, scoring or builders."""
