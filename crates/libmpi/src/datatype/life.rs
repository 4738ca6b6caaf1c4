//! Committing and freeing datatypes. MPI 4.1 section 5.1.9.

use super::lookup;
use crate::abi::*;
use crate::attribute;
use crate::call::mpi;
use crate::failure::bad;
use crate::objects::objects;
use crate::pointer::Out;

mpi! {
    /// `MPI_Type_commit`.
    local fn MPI_Type_commit(datatype: Out<MPI_Datatype>) -> c_int, |here| {
        let _ = here;
        lookup(datatype.given("datatype")?.get())?.is_committed.set(true);
        Ok(())
    }

    /// `MPI_Type_free`: what is built on it, and communication under way, keep its description.
    local fn MPI_Type_free(datatype: Out<MPI_Datatype>) -> c_int, |here| {
        let _ = here;
        let handle = datatype.given("datatype")?.get();
        let found = lookup(handle)?;
        if found.is_predefined {
            return bad(MPI_ERR_TYPE, "predefined datatypes cannot be freed");
        }
        attribute::delete_each(&found.attributes, handle)?;
        let freed = objects().types.borrow_mut().remove(handle);
        drop(freed);
        datatype.set(MPI_DATATYPE_NULL);
        Ok(())
    }
}
