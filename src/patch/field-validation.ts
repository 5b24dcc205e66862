/** What becomes of fields that are unknown or stand twice. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";
