import type { Cluster } from "../index.ts";

/**
 * The cluster that a test gave to `expect`. Tests in JavaScript, and `any` in TypeScript, can give anything.
 * @throws {Error} that says what it is instead, and how to get the cluster
 */
export function receivedCluster(received: unknown, matcher: string): Cluster {
  // The class may be another one if a test runner loads modules for each test file.
  if (hasMember(received, "fork") && hasMember(received, "requests")) return received as unknown as Cluster;
  throw new TypeError(`expect(...).${matcher} needs a cluster, got ${mistake(received)}`);
}

function mistake(received: unknown): string {
  if (received === undefined || received === null) {
    return `${received}: createCluster() and the fixtures of the test runners return one`;
  }
  if (hasMember(received, "then")) return "a promise: await it first";
  if (hasMember(received, "cluster")) return "an object with a cluster: pass its member `cluster`";
  if (hasMember(received, "url")) return "a server: pass the cluster that it serves";
  if (hasMember(received, "apiVersion")) return "a manifest: pass the cluster that should have it";
  return typeof received === "object" ? "another object" : `a ${typeof received}`;
}

/** Whether a value is an object with a member of this name. */
export function hasMember(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && name in value;
}
