/** Tests of the specification that fail here, and why: `file` and the beginning of the test's name. */
export const expectedFailures: readonly (readonly [file: string, name: string, reason: string])[] = [
  [
    "optionals",
    "map_null_entry_no_such_key",
    "Kubernetes does not set ErrorOnBadPresenceTest: the result is none",
  ],
  [
    "optionals",
    "map_present_key_invalid_field",
    "Kubernetes does not set ErrorOnBadPresenceTest: the result is none",
  ],
  ["type_deductions", "null_assignable_to_abstract_parameter", "cel-go deduces null, as here"],
  ["string_ext", "indexof_out_of_range", "cel-go yields -1 beyond the end"],
  ["string_ext", "lastindexof_out_of_range", "cel-go yields -1 beyond the end"],
];

/** Files that are about protobuf messages, or about values that are not known yet, as a whole. */
export const messageFiles: ReadonlySet<string> = new Set([
  "enums",
  "proto2",
  "proto2_ext",
  "proto3",
  "wrappers",
]);
