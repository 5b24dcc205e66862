import { plainError } from "../../../apimachinery/errors/errors.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import { goJson } from "../../../apimachinery/go/go-json.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  parseGroupVersion,
} from "../../../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import type { ConversionFailure } from "../../../registry/contract/conversion-metrics.ts";
import type { CodecEnvironment } from "../../../registry/contract/storage-codec.ts";
import { ConversionError, withConvertedMetadata } from "./converted-metadata.ts";

/** The webhook of a definition. */
export interface WebhookConverter extends CodecEnvironment {
  /** The name of the definition. */
  readonly name: string;
  readonly clientConfig: JsonObject;
  readonly reviewVersions: readonly string[];
}

const reviewGroup = "apiextensions.k8s.io";
const reviewKind = "ConversionReview";

/**
 * Objects in another version, from the webhook of their definition: one review with the objects that are not in that
 * version. Upstream: apiextensions-apiserver, pkg/apiserver/conversion/webhook_converter.go.
 * @throws {StatusError} 500 with upstream's message, if the webhook fails or answers something else
 */
export async function convertByWebhook(
  objects: readonly KubeObject[],
  to: GroupVersionKind,
  converter: WebhookConverter,
): Promise<readonly KubeObject[]> {
  const apiVersion = formatGroupVersion(to);
  const sent = objects.filter((object) => object.apiVersion !== apiVersion);
  const place = placeOf(sent, to);
  const observe = observation(sent[0], to, converter);
  let failure: ConversionFailure | undefined = "call";
  try {
    const { answer, uid } = await review(sent, apiVersion, place, converter);
    failure = "malformed_response";
    const converted = convertedOf(answer, uid);
    failure = "partial_response";
    checkCount(converted, sent);
    failure = "invalid_converted_object";
    const results = sent.map((original, i) =>
      checkedObject(original, converted[i] ?? null, to, place.at(i), converter.gates.since),
    );
    failure = undefined;
    const next = results.values();
    return objects.map((object) =>
      object.apiVersion === apiVersion ? object : (next.next().value ?? object),
    );
  } catch (error) {
    if (error instanceof ConversionError)
      throw plainError(500, `conversion webhook for ${place.of} ${error.message}`);
    throw error;
  } finally {
    observe(failure);
  }
}

/** Counts a conversion, with the time that has passed. */
function observation(
  first: KubeObject | undefined,
  to: GroupVersionKind,
  { name, clock, conversionMetrics }: WebhookConverter,
): (failure: ConversionFailure | undefined) => void {
  const startedAt = clock.now();
  const from = parseGroupVersion(first?.apiVersion ?? "")?.version ?? "";
  return (failure) =>
    conversionMetrics.observe({ definition: name, from, to: to.version }, failure, clock.now() - startedAt);
}

/** How messages name what is converted: one object or a list. */
interface Place {
  readonly of: string;
  readonly at: (i: number) => ObjectWords;
}

interface ObjectWords {
  readonly invalidVersion: string;
  readonly invalid: string;
  readonly metadata: string;
}

function placeOf(sent: readonly KubeObject[], to: GroupVersionKind): Place {
  const [only, ...more] = sent;
  if (only !== undefined && more.length === 0) {
    const words = {
      invalidVersion: "returned invalid object at index 0",
      invalid: "returned invalid object",
      metadata: "returned invalid metadata",
    };
    return { of: gvkText(only), at: () => words };
  }
  return {
    of: formatGvk({ ...to, kind: `${to.kind}List` }),
    at: (i) => {
      const invalid = `returned invalid converted object at index ${i}`;
      return {
        invalidVersion: invalid,
        invalid,
        metadata: `returned invalid metadata in object at index ${i}`,
      };
    },
  };
}

/** The answer of a webhook, and the uid that it must repeat, if the version of the review demands it. */
interface Review {
  readonly answer: JsonObject;
  readonly uid: string | undefined;
}

async function review(
  objects: readonly KubeObject[],
  desiredAPIVersion: string,
  { of }: Place,
  { name, clientConfig, reviewVersions, callConversionWebhook, identifiers }: WebhookConverter,
): Promise<Review> {
  const version = reviewVersions.find((one) => one === "v1" || one === "v1beta1");
  if (version === undefined) throw plainError(500, "no supported conversion review versions");
  const uid = identifiers.uid();
  const request = { uid, desiredAPIVersion, objects };
  try {
    const answer = await callConversionWebhook({ name, clientConfig }, version, request);
    return { answer, uid: version === "v1" ? uid : undefined };
  } catch (error) {
    throw plainError(500, `conversion webhook for ${of} failed: ${messageOf(error)}`);
  }
}

function checkCount(converted: readonly unknown[], sent: readonly unknown[]): void {
  if (converted.length === sent.length) return;
  throw new ConversionError(`returned ${converted.length} objects, expected ${sent.length}`);
}

/** The objects of an answer. Only reviews of v1 must name their version and repeat the uid. */
function convertedOf(answer: JsonObject, uid: string | undefined): readonly JsonValue[] {
  const failed = (text: string) => new ConversionError(`failed: ${text}`);
  if (uid !== undefined) {
    const expected = formatGvk({ group: reviewGroup, version: "v1", kind: reviewKind });
    const got = gvkText(answer);
    if (got !== expected) throw failed(`expected webhook response of ${expected}, got ${got}`);
  }
  const response = answer["response"] ?? null;
  if (response === null) throw failed("no response provided");
  if (!isJsonObject(response))
    throw failed(wrongType(response, "Go struct field .response of type v1.ConversionResponse"));
  const sentUid = textAt(response, "uid");
  if (uid !== undefined && sentUid !== uid) {
    throw failed(`expected response.uid=${goQuote(uid)}, got ${goQuote(sentUid)}`);
  }
  const result = structAt(response, "result");
  const status = textAt(result, "status");
  if (status !== "Success") {
    throw failed(textAt(result, "message") || `response.result.status was '${status}', not 'Success'`);
  }
  const converted = response["convertedObjects"] ?? [];
  if (Array.isArray(converted)) return converted;
  throw failed(
    wrongType(
      converted,
      "Go struct field ConversionResponse.response.convertedObjects of type []runtime.RawExtension",
    ),
  );
}

function wrongType(value: JsonValue, target: string): string {
  const kind = Array.isArray(value) ? "array" : typeof value;
  return `json: cannot unmarshal ${kind === "boolean" ? "bool" : kind} into ${target}`;
}

/** A converted object, with the metadata of the original but for labels and annotations. */
function checkedObject(
  original: KubeObject,
  converted: JsonValue,
  to: GroupVersionKind,
  words: ObjectWords,
  since: Since,
): KubeObject {
  const kind = isJsonObject(converted) ? textAt(converted, "kind") : "";
  if (!isJsonObject(converted) || kind === "") {
    throw new ConversionError(`${words.invalid}: Object 'Kind' is missing in '${goJson(converted)}'`);
  }
  const apiVersion = textAt(converted, "apiVersion");
  const expected = formatGroupVersion(to);
  if (apiVersion !== expected) {
    throw new ConversionError(
      `${words.invalidVersion}: invalid groupVersion (expected ${expected}, received ${apiVersion})`,
    );
  }
  if (kind !== original.kind) {
    throw new ConversionError(
      `${words.invalidVersion}: invalid kind (expected ${original.kind}, received ${kind})`,
    );
  }
  checkIdentity(original, converted, words);
  const metadata = withConvertedMetadata(original.metadata, converted["metadata"], words.metadata, since);
  return { ...converted, apiVersion, kind, metadata };
}

const identity = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function checkIdentity(original: KubeObject, converted: JsonObject, words: ObjectWords): void {
  for (const [field, title] of identity) {
    const before = textAt(original, "metadata", field);
    const now = textAt(converted, "metadata", field);
    if (before !== now)
      throw new ConversionError(`${words.invalid}: must have the same ${title}: ${before} != ${now}`);
  }
}

function gvkText(object: JsonObject): string {
  const { group = "", version = "" } = parseGroupVersion(textAt(object, "apiVersion")) ?? {};
  return formatGvk({ group, version, kind: textAt(object, "kind") });
}

/** Go prints a kind so. */
function formatGvk({ group, version, kind }: GroupVersionKind): string {
  return formatGroupVersionKind({ group, version, kind });
}
