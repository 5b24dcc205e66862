import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";

/** The YAML that Go's yaml.v3 writes: block style, indented by two in a list and to the next multiple of four in an object. */
export function blockYaml(value: JsonValue): string {
  return isCollection(value) ? block(value, 0) : `${scalar(value)}\n`;
}

function isCollection(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** The lines of a non-empty list or object. */
function block(value: JsonValue, indent: number): string {
  const margin = " ".repeat(indent);
  if (Array.isArray(value)) {
    // The first line of an item follows its dash; the others are below.
    return value.map((item) => `${margin}- ${under(item, indent + 2).trimStart()}`).join("");
  }
  if (!isJsonObject(value)) return "";
  return Object.entries(value)
    .map(([key, item]) => {
      const name = `${margin}${scalar(key)}:`;
      if (!isCollection(item)) return `${name} ${scalar(item)}\n`;
      return `${name}\n${block(item, 4 * Math.floor((indent + 4) / 4))}`;
    })
    .join("");
}

function under(value: JsonValue, indent: number): string {
  return isCollection(value) ? block(value, indent) : `${scalar(value)}\n`;
}

/** Words that YAML 1.2 or 1.1 does not read as text. */
const reserved = /^(?:y|yes|n|no|on|off|true|false|null|~)$/i;

function scalar(value: JsonValue): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[]" : "{}";
  if (typeof value !== "string") return String(value);
  const isPlain = /^[A-Za-z_/](?:[\w.,/+-]| (?! |$))*$/.test(value) && !reserved.test(value);
  return isPlain ? value : JSON.stringify(value);
}
