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
    "src/endpoints/aggregated",
    [
      "src/endpoints/aggregated/",
      "test/endpoints/aggregated-",
      "test/kinds/apiregistration/",
      "test/conformance/openapi-caching",
    ],
  ],
  [
    "src/endpoints/proxies",
    [
      "src/endpoints/proxies/",
      "test/endpoints/aggregated-server",
      "test/kinds/core/proxies",
      "test/streams/pod-proxies",
    ],
  ],
  [
    "src/endpoints/nonresource",
    [
      "src/endpoints/nonresource/",
      "test/endpoints/",
      "test/admission/admission-metrics",
      "test/authentication/metrics",
      "test/authentication/service-account-issuers",
      "test/authorization/metrics",
      "test/cluster/emulation",
      "test/conformance/accepted-formats",
      "test/conformance/answer-headers",
      "test/conformance/metrics",
      "test/conformance/nonresource-paths",
      "test/conformance/openapi-caching",
      "test/conformance/requests-in-flight",
      "test/kinds/apiextensions/conversion-metrics",
      "test/streams/pod-metrics",
      "test/streams/scripted-metrics",
    ],
  ],
  [
    "src/endpoints/requests",
    [
      "src/endpoints/requests/",
      "test/admission/converted-webhook",
      "test/admission/mutating-policies",
      "test/admission/webhooks",
      "test/apply/",
      "test/authorization/creating-update",
      "test/authorization/escalation",
      "test/cluster/custom-resources",
      "test/conformance/bad-",
      "test/conformance/dry-run",
      "test/conformance/field-",
      "test/conformance/list-",
      "test/conformance/patch",
      "test/conformance/watch-",
      "test/endpoints/admitted-versions",
      "test/endpoints/verbs",
      "test/kinds/apiextensions/",
      "test/kinds/core/pod-deletion",
      "test/registry/",
    ],
  ],
  [
    "src/endpoints/responses",
    [
      "src/endpoints/responses/",
      "test/cluster/ended-watches",
      "test/cluster/watch",
      "test/conformance/accepted-formats",
      "test/conformance/answer-headers",
      "test/conformance/cbor",
      "test/conformance/compression",
      "test/conformance/dry-run",
      "test/conformance/list-",
      "test/conformance/watch-",
      "test/endpoints/converted-tables",
      "test/endpoints/verbs",
      "test/kinds/apiextensions/conversion-webhook",
      "test/kinds/apiextensions/instances",
      "test/lifecycle/",
      "test/registry/corrupt-objects",
      "test/transports/web-socket-watch",
    ],
  ],
  [
    "src/endpoints/patches",
    [
      "src/endpoints/",
      "test/apply/",
      "test/authorization/creating-update",
      "test/conformance/bad-patches",
      "test/conformance/field-validation",
      "test/conformance/patch",
      "test/endpoints/verbs",
      "test/kinds/apiextensions/",
      "test/registry/scale",
    ],
  ],
  [
    "src/endpoints/contract",
    [
      "src/endpoints/",
      "test/apply/",
      "test/conformance/field-validation",
      "test/conformance/metrics",
      "test/conformance/requests-in-flight",
      "test/endpoints/",
      "test/kinds/apiextensions/",
    ],
  ],
  [
    "src/endpoints",
    [
      "src/endpoints/",
      "test/admission/collection-webhook",
      "test/admission/webhooks",
      "test/apply/",
      "test/authorization/creating-update",
      "test/cluster/custom-resources",
      "test/cluster/ended-watches",
      "test/conformance/accepted-formats",
      "test/conformance/bad-",
      "test/conformance/dry-run",
      "test/conformance/field-",
      "test/conformance/list-",
      "test/conformance/literal-paths",
      "test/conformance/metrics",
      "test/conformance/nonresource-paths",
      "test/conformance/patch",
      "test/conformance/watch-",
      "test/endpoints/",
      "test/kinds/core/pod-",
      "test/registry/",
      "test/streams/",
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
