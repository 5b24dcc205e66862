import { type FieldError, fieldInvalid, fieldRequired } from "../../apimachinery/field.ts";
import { child } from "../../apimachinery/field-path.ts";
import { integerAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { dnsSubdomainMessages } from "../../apimachinery/names.ts";
import { portNumberMessages } from "../../apimachinery/value-formats.ts";

const form = "; desired format: https://host[/path]";

/** Scheme, authority, query and fragment, after RFC 3986. */
const urlParts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s;

/** What is wrong with how a webhook is reached: by a URL, or by a service of the cluster. */
export function clientConfigErrors(hook: JsonObject, field: string): FieldError[] {
  const config = objectAt(hook, "clientConfig") ?? {};
  const { url } = config;
  const service = objectAt(config, "service");
  if ((url === undefined) === (service === undefined)) {
    return [fieldRequired(field, "exactly one of url or service is required")];
  }
  if (service !== undefined) return webhookServiceErrors(service, child(field, "service"));
  return webhookUrlErrors(String(url), child(field, "url"));
}

/** What is wrong with the URL of a webhook. */
export function webhookUrlErrors(url: string, field: string): FieldError[] {
  const problem = urlProblem(url);
  if (problem !== undefined) {
    return [fieldRequired(field, `url must be a valid URL: parse ${JSON.stringify(url)}: ${problem}${form}`)];
  }
  const [, scheme = "", authority = "", query = "", fragment = ""] = urlParts.exec(url) ?? [];
  const at = authority.lastIndexOf("@");
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== "https") {
    errors.push(fieldInvalid(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`));
  }
  if (authority.slice(at + 1) === "") errors.push(fieldInvalid(field, "", `host must be specified${form}`));
  if (at >= 0) {
    const detail = "user information is not permitted in the URL";
    errors.push(fieldInvalid(field, authority.slice(0, at), detail));
  }
  if (fragment !== "") errors.push(fieldInvalid(field, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(fieldInvalid(field, query, "query parameters are not permitted in the URL"));
  return errors;
}

/** Why Go would not read a URL. */
function urlProblem(url: string): string | undefined {
  if (Array.from(url).some((character) => character < " " || character === "\x7f")) {
    return "net/url: invalid control character in URL";
  }
  return url.startsWith(":") ? "missing protocol scheme" : undefined;
}

/** What is wrong with a reference to the service of a webhook. */
export function webhookServiceErrors(service: JsonObject, field: string): FieldError[] {
  const errors = ["name", "namespace"]
    .filter((name) => !textAt(service, name))
    .map((name) => fieldRequired(child(field, name)));
  const port = integerAt(service, "port");
  const messages = portNumberMessages(Number(port));
  if (messages.length > 0) {
    errors.push(fieldInvalid(child(field, "port"), port, `port is not valid: ${messages.join(", ")}`));
  }
  return [...errors, ...pathErrors(textAt(service, "path"), child(field, "path"))];
}

function pathErrors(path: string, field: string): FieldError[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [fieldInvalid(field, path, "segment[0] may not be empty")];
  const errors = path.startsWith("/") ? [] : [fieldInvalid(field, path, "must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  for (const [i, step] of steps.entries()) {
    if (step === "") errors.push(fieldInvalid(field, path, `segment[${i}] may not be empty`));
    else {
      for (const message of dnsSubdomainMessages(step)) {
        errors.push(fieldInvalid(field, path, `segment[${i}]: ${message}`));
      }
    }
  }
  return errors;
}
