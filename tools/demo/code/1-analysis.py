# Counts the customers of each country.
import csv
from collections import Counter

with open("/srv/agent/work/customers.csv", newline="") as table:
    rows = list(csv.DictReader(table))
for country, count in sorted(Counter(row["country"] for row in rows).items()):
    print(f"analysis: {country} {count}")
