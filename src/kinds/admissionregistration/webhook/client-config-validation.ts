import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { worded } from "../../../apimachinery/errors/wording.ts";
import { integerAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { type GoUrl, parseGoUrl } from "../../../apimachinery/go/go-url.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";

const form = "; desired format: https://host[/path]";

/** Validates the client config of a webhook, which has a URL or a service. */
export function addClientConfigErrors(errors: Findings, hook: JsonObject, field: string): void {
  const config = objectAt(hook, "clientConfig") ?? {};
  const { url } = config;
  const service = objectAt(config, "service");
  if ((url === undefined) === (service === undefined)) {
    errors.push(fieldRequired(field, "exactly one of url or service is required"));
  } else if (service !== undefined) addWebhookServiceErrors(errors, service, child(field, "service"));
  else addWebhookUrlErrors(errors, String(url), child(field, "url"));
}

/** Validates the URL of a webhook. Upstream: k8s.io/apiserver/pkg/util/webhook/validation.go, ValidateWebhookURL. */
function addWebhookUrlErrors(errors: Findings, text: string, field: string): void {
  const url = readUrl(text);
  if (url instanceof RangeError) {
    errors.push(fieldRequired(field, `url must be a valid URL: ${url.message}${form}`));
    return;
  }
  const { scheme, host, user, fragment, query } = url;
  if (scheme !== "https") {
    errors.push(fieldInvalid(field, scheme, `'https' is the only allowed URL scheme${form}`));
  }
  if (host === "") errors.push(fieldInvalid(field, "", `host must be specified${form}`));
  if (user !== undefined) {
    errors.push(fieldInvalid(field, user, "user information is not permitted in the URL"));
  }
  if (fragment !== "") errors.push(fieldInvalid(field, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(fieldInvalid(field, query, "query parameters are not permitted in the URL"));
}

function readUrl(text: string): GoUrl | RangeError {
  try {
    return parseGoUrl(text);
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}

/** Upstream swaps the two field names in its errors. */
const swapped = [
  ["name", "namespace"],
  ["namespace", "name"],
] as const;

/** Validates the service reference of a webhook. Upstream: ValidateWebhookService. */
function addWebhookServiceErrors(errors: Findings, service: JsonObject, field: string): void {
  for (const [named] of swapped.filter(([, asked]) => !textAt(service, asked))) {
    errors.push(fieldRequired(child(field, named), `service ${named} is required`));
  }
  const port = integerAt(service, "port");
  const messages = portNumberMessages(Number(port));
  if (messages.length > 0) {
    errors.push(fieldInvalid(child(field, "port"), port, `port is not valid: ${messages.join(", ")}`));
  }
  addPathErrors(errors, textAt(service, "path"), child(field, "path"));
}

function addPathErrors(errors: Findings, path: string, field: string): void {
  if (path === "" || path === "/") return;
  if (path === "//") {
    errors.push(fieldInvalid(field, path, "segment[0] may not be empty"));
    return;
  }
  if (!path.startsWith("/")) errors.push(fieldInvalid(field, path, "must start with a '/'"));
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  for (const [i, step] of steps.entries()) {
    if (step === "") errors.push(fieldInvalid(field, path, `segment[${i}] may not be empty`));
    else {
      for (const message of dnsSubdomainMessages(step)) {
        errors.push(fieldInvalid(field, path, worded`segment[${String(i)}]: ${message}`));
      }
    }
  }
}
