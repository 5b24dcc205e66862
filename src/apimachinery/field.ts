/** The reasons of a cause in a 422 answer, as upstream spells them. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** One finding of validation. `body` is the message without the field, for example `Required value: name is needed`. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** A dotted path such as `spec.containers[0].name`; empty for the whole object. */
  readonly field: string;
  readonly body: string;
}
