import type { JsonObject } from "../apimachinery/json.ts";

/** A webhook in the process: it gets a review and returns it with a status. What it throws is a failure of the webhook. */
export type ReviewFunction = (review: JsonObject) => JsonObject | Promise<JsonObject>;

/** The text of a file in the format of a kubeconfig, and how to read the files that it names. */
export interface KubeconfigFile {
  readonly text: string;
  /** @throws {Error} for a file that cannot be read */
  readonly readFile: (path: string) => string;
}

/** A webhook of the cluster's owner: a function, or an address in the format of a kubeconfig. */
export type WebhookTarget = ReviewFunction | string | KubeconfigFile;
