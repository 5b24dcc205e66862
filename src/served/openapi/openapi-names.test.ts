import { expect, test } from "vitest";
import { releases } from "../../apimachinery/release.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { catalogFiles } from "../../catalog/catalog-files.ts";
import { packageOf, schemeVersions } from "./openapi-names.ts";

/** Groups of other schemes, or of none. */
const elsewhere = /^apidiscovery\.k8s\.io\/|^meta\//;

test.each(releases)("in %s the scheme has the versions that the catalog has types of", (release) => {
  const catalog = catalogOf({ release });
  const withTypes = catalogFiles
    .keys()
    .filter((key) => !elsewhere.test(key))
    .map((key) => key.replace("core/", "/"))
    .filter((key) => {
      const [group = "", version = ""] = key.split("/");
      return catalog.types({ group, version }).size > 0;
    });
  const versions = schemeVersions(catalog).map(({ group, version }) => `${group}/${version}`);
  expect(versions).toEqual(withTypes.sort());
});

test.each([
  ["", "v1", "io.k8s.api.core.v1"],
  ["apps", "v1", "io.k8s.api.apps.v1"],
  ["rbac.authorization.k8s.io", "v1beta1", "io.k8s.api.rbac.v1beta1"],
  ["flowcontrol.apiserver.k8s.io", "v1", "io.k8s.api.flowcontrol.v1"],
  ["internal.apiserver.k8s.io", "v1alpha1", "io.k8s.api.apiserverinternal.v1alpha1"],
  ["apiextensions.k8s.io", "v1", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"],
  ["apiregistration.k8s.io", "v1", "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1"],
  ["meta", "v1", "io.k8s.apimachinery.pkg.apis.meta.v1"],
])("types of %j %s are in %s", (group, version, name) => {
  expect(packageOf({ group, version })).toBe(name);
});
