import { expect, test } from "vitest";
import { goShapeText } from "../apimachinery/go/go-shape-text.ts";
import { sinceOf } from "../apimachinery/release.ts";
import { internalTypes } from "./internal-types.ts";

test("the lifetime of a projected token is no pointer in the internal type", () => {
  const typeOf = internalTypes(sinceOf("1.32"), { group: "", version: "v1" });
  const projection = { path: "p", expirationSeconds: 3607 };
  expect(goShapeText(typeOf("core.ServiceAccountTokenProjection"), projection)).toBe(
    'core.ServiceAccountTokenProjection{Audience:"", ExpirationSeconds:3607, Path:"p"}',
  );
});
