/** How the one error begins in which all repeated keys of a YAML body are named. */
const YAML_ERRORS = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n/;

/** The warnings that strict findings give where they are not errors: of YAML, one for each repeated key. */
export function strictWarnings(strictErrors: readonly string[]): string[] {
  return strictErrors.flatMap((text) => {
    const findings = text.replace(YAML_ERRORS, "");
    return findings === text ? [text] : findings.split("\n").map((line) => line.trim());
  });
}
