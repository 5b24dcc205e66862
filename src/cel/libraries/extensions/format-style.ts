/**
 * How values are written: "localized" as cel-go did first, and Kubernetes does, with the digits of American English;
 * "plain" as the specification says since.
 */
export type FormatStyle = "localized" | "plain";
