/** How unknown and duplicate fields are treated. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";
