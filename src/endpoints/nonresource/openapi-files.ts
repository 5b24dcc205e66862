import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { catalogFiles } from "../../catalog/catalog-files.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { ApiView } from "../../served/api-view.ts";
import { describedDocument } from "../../served/openapi/described-document.ts";
import type { OpenApiEnums } from "../../served/openapi/openapi-definitions.ts";
import type { OpenApiDescriptions } from "../../served/openapi/openapi-descriptions.ts";
import { type OpenApiDocuments, openApiDocuments } from "../../served/openapi/openapi-documents.ts";

/** The encoder of documents in protobuf. */
type ToProtobuf = (document: JsonObject) => Promise<Uint8Array>;

/** A document in JSON and in protobuf, each made when it is first needed. */
export class OpenApiFile {
  readonly #make: () => JsonObject;
  readonly #toProtobuf: ToProtobuf;
  #json: Uint8Array | undefined;
  #protobuf: Promise<Uint8Array> | undefined;
  /** The digest in URLs and ETags: SHA-512 in upper case. */
  readonly hash: string;

  constructor(hash: string, make: () => JsonObject, toProtobuf: ToProtobuf) {
    this.hash = hash;
    this.#make = make;
    this.#toProtobuf = toProtobuf;
  }

  document(): JsonObject {
    return this.#make();
  }

  json(): Uint8Array {
    this.#json ??= new TextEncoder().encode(encodeJson(this.#make()));
    return this.#json;
  }

  protobuf(): Promise<Uint8Array> {
    this.#protobuf ??= this.#toProtobuf(this.#make());
    return this.#protobuf;
  }
}

/** The OpenAPI files of a view of the API. A view with declared kinds has the files of its release where they are the same. */
export class OpenApiFiles {
  readonly #view: ApiView;
  readonly #enums: OpenApiEnums;
  readonly #descriptions: OpenApiDescriptions | undefined;
  readonly #documents: OpenApiDocuments;
  readonly #v3 = new Map<string, OpenApiFile>();
  #v2: OpenApiFile | undefined;

  constructor(view: ApiView, enums: OpenApiEnums, descriptions?: OpenApiDescriptions) {
    this.#view = view;
    this.#enums = enums;
    this.#descriptions = descriptions;
    this.#documents = openApiDocuments(view, enums);
  }

  /** The file at `/openapi/v2`. */
  v2(): OpenApiFile {
    this.#v2 ??= this.#file(this.#hashOfV2(), () => this.#documents.v2(), v2Protobuf);
    return this.#v2;
  }

  /** The files below `/openapi/v3` with their paths. */
  v3Files(): readonly (readonly [path: string, file: OpenApiFile])[] {
    return this.#documents.v3Paths.map((path) => [path, this.#v3File(path)]);
  }

  /** The file at a path of `/openapi/v3`; undefined for a path that is not listed. */
  v3(path: string): OpenApiFile | undefined {
    return this.#documents.v3Paths.includes(path) ? this.#v3File(path) : undefined;
  }

  #v3File(path: string): OpenApiFile {
    const known = this.#v3.get(path) ?? this.#makeV3(path);
    this.#v3.set(path, known);
    return known;
  }

  #makeV3(path: string): OpenApiFile {
    const isDeclared = this.#documents.isDeclared(path);
    const shared = isDeclared ? undefined : this.#filesOfRelease()?.v3(path);
    if (shared !== undefined) return shared;
    const make = () => this.#documents.v3(path) ?? {};
    const hash = isDeclared
      ? sha512Hex(encodeJson(make()))
      : hashOf(this.#view.catalog, `${path}${this.#suffix}`);
    return this.#file(hash, make, v3Protobuf);
  }

  #file(hash: string, make: () => JsonObject, toProtobuf: ToProtobuf): OpenApiFile {
    const descriptions = this.#descriptions;
    if (descriptions === undefined) return new OpenApiFile(hash, make, toProtobuf);
    const describedHash = sha512Hex(`${hash}\n${descriptions.digest}`);
    return new OpenApiFile(describedHash, () => describedDocument(make(), descriptions.swagger), toProtobuf);
  }

  #hashOfV2(): string {
    const release = this.#filesOfRelease();
    if (release === undefined) return hashOf(this.#view.catalog, `v2${this.#suffix}`);
    return sha512Hex([release.v2().hash, ...this.#documents.declared().map(encodeJson)].join("\n"));
  }

  /** Documents without enums have other digests. */
  get #suffix(): string {
    return this.#enums === "with enums" ? "" : " without enums";
  }

  #filesOfRelease(): OpenApiFiles | undefined {
    const { builtIn } = this.#view;
    return builtIn === this.#view ? undefined : openApiFiles(builtIn, this.#enums, this.#descriptions);
  }
}

/** The files of a view, with descriptions if there are any; the same object for the same view, enums and descriptions. */
export function openApiFiles(
  view: ApiView,
  enums: OpenApiEnums,
  descriptions: OpenApiDescriptions | undefined,
): OpenApiFiles {
  const { plain, described } = makers[enums];
  return descriptions === undefined ? view.derived(plain) : descriptions.derived(view, described);
}

/** What is made once for a view needs functions that stay the same. */
const makers = {
  "with enums": makersFor("with enums"),
  "without enums": makersFor("without enums"),
} as const;

function makersFor(enums: OpenApiEnums): {
  readonly plain: (view: ApiView) => OpenApiFiles;
  readonly described: (view: ApiView, descriptions: OpenApiDescriptions) => OpenApiFiles;
} {
  return {
    plain: (view) => new OpenApiFiles(view, enums),
    described: (view, descriptions) => new OpenApiFiles(view, enums, descriptions),
  };
}

/** The SHA-512 of the catalog, which is computed once for all releases. */
class CatalogDigest {
  #digest: string | undefined;

  get value(): string {
    this.#digest ??= sha512Hex(catalogFiles.texts().join("\n"));
    return this.#digest;
  }
}

const catalogDigest = new CatalogDigest();

/**
 * Names a document by its sources, so that the index, which has the hashes of all documents, makes none of them. Increase the
 * number when the documents of an unchanged catalog change.
 */
function hashOf(catalog: Catalog, path: string): string {
  const served = catalog.groupVersions().map(formatGroupVersion);
  return sha512Hex(
    ["openapi 2", catalogDigest.value, ...Object.values(catalog.version), ...served, path].join("\n"),
  );
}

/** A document of `/openapi/v2` in protobuf. */
export async function v2Protobuf(document: JsonObject): Promise<Uint8Array> {
  const { encodeOpenApiV2Protobuf } = await import("../../served/openapi/openapi-protobuf.ts");
  return encodeOpenApiV2Protobuf(document);
}

export async function v3Protobuf(document: JsonObject): Promise<Uint8Array> {
  const { encodeOpenApiV3Protobuf } = await import("../../served/openapi/openapi-protobuf.ts");
  return encodeOpenApiV3Protobuf(document);
}
