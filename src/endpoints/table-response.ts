import type { JsonObject } from "../apimachinery/json.ts";
import type { Encodable } from "../codec/encodable.ts";
import type { ListMeta } from "../codec/encode.ts";
import type { Answering } from "./respond.ts";
