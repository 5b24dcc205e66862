import { type Defaulter, inStruct, whenZero } from "../../defaulting/defaulter.ts";

export const flowSchemaDefaults: Defaulter = inStruct("spec", whenZero({ matchingPrecedence: 1000 }));
