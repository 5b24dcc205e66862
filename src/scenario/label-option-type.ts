import type { OptionType } from "../apimachinery/option-checks.ts";

/** Written as `app=web|tier=front`. */
export const labels: OptionType = {
  accepts: "an object of texts",
  isValid: (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((one) => typeof one === "string"),
  fromText: (written) => Object.fromEntries(written.split("|").map((pair) => pair.split("="))),
};
