/** The start of the single error that lists all duplicate keys of a YAML body. */
const YAML_ERRORS = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n/;

/** The warnings for strict errors: for YAML, one per duplicate key. */
export function strictWarnings(strictErrors: readonly string[]): string[] {
  return strictErrors.flatMap((text) => {
    const findings = text.replace(YAML_ERRORS, "");
    return findings === text ? [text] : findings.split("\n").map((line) => line.trim());
  });
}
