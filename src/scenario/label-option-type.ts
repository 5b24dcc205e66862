import type { OptionType } from "../apimachinery/option-checks.ts";

/** The name of a pod, a container, a node or a namespace. */
export const objectName: OptionType = {
  accepts: 'a name such as "web-1"',
  isValid: (value) => typeof value === "string" && /^[-.a-z\d]+$/.test(value),
};

/** Written as `app=web|tier=front`. */
export const labels: OptionType = {
  accepts: "an object of texts",
  isValid: (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((one) => typeof one === "string"),
  fromText: (written) => Object.fromEntries(written.split("|").map((pair) => pair.split("="))),
};
