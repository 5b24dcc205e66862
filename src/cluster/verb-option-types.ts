import type { OptionType, OptionTypes } from "../apimachinery/option-checks.ts";
import { boolean, numberFrom, oneOf, text } from "../apimachinery/option-types.ts";
import { isObject } from "./option-types.ts";

const object: OptionTypes = { namespace: text, subresource: text };

const write: OptionTypes = {
  ...object,
  dryRun: boolean,
  fieldManager: text,
  fieldValidation: oneOf("Ignore", "Warn", "Strict"),
};

const deletion: OptionTypes = {
  namespace: text,
  dryRun: boolean,
  gracePeriodSeconds: numberFrom(Number.NEGATIVE_INFINITY),
  propagationPolicy: oneOf("Orphan", "Background", "Foreground"),
};

const abortSignal: OptionType = { accepts: "an AbortSignal", isValid: isObject };

const duration: OptionType = {
  accepts: 'milliseconds, or text such as "10s"',
  isValid: (value) => typeof value === "string" || (typeof value === "number" && value >= 0),
};

const selection: OptionTypes = { namespace: text, labelSelector: text, fieldSelector: text };

/** The types of the options of each verb of a client. */
export const verbOptionTypes: {
  readonly [verb in
    | "get"
    | "list"
    | "watch"
    | "waitQuery"
    | "waitFor"
    | "create"
    | "update"
    | "patch"
    | "apply"
    | "delete"
    | "deleteCollection"]: OptionTypes;
} = {
  get: object,
  watch: { ...selection, resourceVersion: text, signal: abortSignal },
  waitQuery: { ...selection, apiVersion: text, kind: text, name: text },
  waitFor: { timeout: duration },
  list: {
    ...selection,
    limit: numberFrom(Number.NEGATIVE_INFINITY),
    continue: text,
    resourceVersion: text,
    resourceVersionMatch: oneOf("Exact", "NotOlderThan"),
  },
  create: write,
  update: write,
  patch: { ...write, type: oneOf("json", "merge", "strategic") },
  apply: { ...write, force: boolean },
  delete: {
    ...deletion,
    subresource: text,
    preconditions: { accepts: "an object", isValid: isObject },
    ignoreStoreReadErrorWithClusterBreakingPotential: boolean,
  },
  deleteCollection: { ...deletion, labelSelector: text, fieldSelector: text },
};
