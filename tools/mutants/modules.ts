import { readdirSync } from "node:fs";

/** A part of the sources that everything hangs on, and the tests that must hold it. */
export interface Module {
  readonly name: string;
  /** The paths of its sources from the root of the project. */
  readonly files: readonly string[];
  /** What the paths of its tests begin with. The tests of other parts may reach it too, but do not say what it does. */
  readonly tests: readonly string[];
}

/** The folders of the modules. A file belongs to the first folder that contains it. */
const folders: readonly (readonly [folder: string, tests: readonly string[]])[] = [
  [
    "src/store",
    ["src/store/", "test/cluster/snapshots", "test/cluster/watch", "test/registry/corrupt-objects"],
  ],
  ["src/patch/apply", ["src/patch/apply/", "test/apply/"]],
  ["src/patch", ["src/patch/", "test/conformance/patch", "test/conformance/bad-patches"]],
  [
    "src/registry/generic",
    [
      "src/registry/",
      "test/registry/",
      "test/conformance/l",
      "test/conformance/watch-s",
      "test/cluster/seeding",
      "test/kinds/core/pod-deletion",
      "test/kinds/core/negative-grace-period",
    ],
  ],
  ["src/registry", ["src/registry/", "test/registry/"]],
  ["src/controllers/garbage-collector", ["src/controllers/", "test/controllers/"]],
  ["src/controllers", ["src/controllers/", "test/controllers/"]],
  [
    "src/authorization",
    ["src/authorization/", "test/authorization/", "test/kinds/rbac/", "test/kinds/authorization/"],
  ],
  [
    "src/endpoints",
    [
      "src/endpoints/",
      "test/endpoints/",
      "test/admission/admission-metrics",
      "test/admission/mutating-policies",
      "test/admission/webhooks",
      "test/apply/refusals",
      "test/apply/subresources",
      "test/authentication/metrics",
      "test/authentication/service-account-issuers",
      "test/authorization/creating-update",
      "test/authorization/metrics",
      "test/cluster/ended-watches",
      "test/kinds/apiextensions/conversion",
      "test/kinds/core/pod-connections",
      "test/registry/create",
      "test/registry/deletion",
      "test/registry/scale",
      "test/registry/update",
      "test/registry/corrupt-objects",
      "test/conformance/accepted-formats",
      "test/conformance/answer-headers",
      "test/conformance/bad-",
      "test/conformance/compression",
      "test/conformance/dry-run",
      "test/conformance/field-",
      "test/conformance/list-",
      "test/conformance/literal-paths",
      "test/conformance/metrics",
      "test/conformance/nonresource-paths",
      "test/conformance/openapi-caching",
      "test/conformance/patch",
      "test/conformance/watch-",
    ],
  ],
  [
    "src/request",
    [
      "src/request/",
      "test/conformance/bad-",
      "test/conformance/literal-paths",
      "test/conformance/near-misses",
      "test/conformance/nonresource-paths",
      "test/conformance/requests-in-flight",
    ],
  ],
];

export function modules(): readonly Module[] {
  return folders.map(([folder, tests], index) => {
    const earlier = folders.slice(0, index);
    const isElsewhere = (file: string) => earlier.some(([other]) => file.startsWith(`${other}/`));
    const files = sourcesOf(folder).filter((file) => !isElsewhere(file));
    return { name: folder.slice("src/".length), files, tests };
  });
}

/** The test files of modules. Those that run other programs stand elsewhere, and those beside another module belong to it. */
export function testFilesOf(chosen: readonly Module[]): readonly string[] {
  const wanted = chosen.flatMap(({ tests }) => tests);
  const own = new Set(chosen.map(({ name }) => `src/${name}`));
  const within = ([folder]: (typeof folders)[number]) =>
    wanted.some((start) => folder.startsWith(start)) && !own.has(folder);
  const others = folders.filter(within).map(([folder]) => `${folder}/`);
  return ["src", "test"]
    .flatMap((folder) => filesIn(folder))
    .filter((file) => file.endsWith(".test.ts") && !/-(msw|nock)-\d+\.test\.ts$/.test(file))
    .filter((file) => wanted.some((start) => file.startsWith(start)))
    .filter((file) => !others.some((start) => file.startsWith(start)))
    .sort();
}

function sourcesOf(folder: string): readonly string[] {
  return filesIn(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .sort();
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`);
}
