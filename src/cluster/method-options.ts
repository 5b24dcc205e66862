import type { UserOptions } from "../apimachinery/user-info.ts";
import type { AllowedPaths } from "../scenario/unserved-requests.ts";
import type { OnUnknown } from "./seeding/unknown-kinds.ts";

/** A user for whom the cluster issues a certificate, besides the name. */
export interface CertificateOptions extends UserOptions {
  /** How long it is valid, by the clock of the cluster. Default: a year. */
  readonly expirationSeconds?: number;
}

/** A user for whom the cluster issues a token, besides the name. */
export interface TokenOptions extends UserOptions {
  /** How long it is valid, by the clock of the cluster. Default: as long as the cluster lives. */
  readonly expirationSeconds?: number;
}

/** How `restore` treats open watches. */
export interface RestoreOptions {
  /**
   * They end, as with restarted servers; or they stay open and silent until the revision is higher than before, as on a
   * server that keeps running when its storage is restored. Default: `end`.
   */
  readonly watches?: "end" | "keep";
}

/** What `check` tolerates. */
export interface CheckOptions {
  /** Unserved paths that clients may request, or patterns for them; `true` allows all. Default: none. */
  readonly allowUnserved?: AllowedPaths;
}

/** How `load` treats unusual objects. */
export interface LoadOptions {
  /** Whether objects of kinds that the cluster does not serve are an error or left out with a warning. Default: "error". */
  readonly onUnknown?: OnUnknown;
}
