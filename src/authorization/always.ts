import type { Authorizer } from "./authorizer.ts";

/** Everybody may do everything: `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: Authorizer = () => ({ verdict: "allow", reason: "" });

/** Nobody may do anything: `--authorization-mode=AlwaysDeny`. */
export const alwaysDeny: Authorizer = () => ({ verdict: "noOpinion", reason: "Everything is forbidden." });
