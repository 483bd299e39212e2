export const putCommand = {} as never;
export const getCommand = {} as never;
export const deleteCommand = {} as never;
