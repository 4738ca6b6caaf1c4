//! Categories of variables. MPI 4.1 section 15.3.9.

use std::ffi::{c_char, c_int};

use super::variables::CATEGORIES;
use super::{at, ensure_initialised, find, give_indices, give_text};
use crate::call::mpi;
use crate::pointer::{In, Out};

mpi! {
    /// `MPI_T_category_get_num`.
    early fn MPI_T_category_get_num(num: Out<c_int>) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        num.set(CATEGORIES.len() as c_int);
        Ok(())
    }

    /// `MPI_T_category_get_index`.
    early fn MPI_T_category_get_index(
        name: In<c_char>, index: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        index.set(find(CATEGORIES.iter().map(|category| category.name), &name.text())?);
        Ok(())
    }

    /// `MPI_T_category_get_info`.
    early fn MPI_T_category_get_info(
        index: c_int, name: Out<c_char>, name_len: Out<c_int>, desc: Out<c_char>,
        desc_len: Out<c_int>, cvars: Out<c_int>, pvars: Out<c_int>, categories: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        let category = at(CATEGORIES, index)?;
        give_text(category.name, name, name_len);
        give_text(category.description, desc, desc_len);
        cvars.set(category.controls.len() as c_int);
        pvars.set(category.performances.len() as c_int);
        categories.set(category.categories.len() as c_int);
        Ok(())
    }

    /// `MPI_T_category_get_num_events`.
    early fn MPI_T_category_get_num_events(
        index: c_int, num: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        at(CATEGORIES, index)?;
        num.set(0);
        Ok(())
    }

    /// `MPI_T_category_get_cvars`.
    early fn MPI_T_category_get_cvars(
        index: c_int, len: c_int, indices: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        give_indices(at(CATEGORIES, index)?.controls, len, indices);
        Ok(())
    }

    /// `MPI_T_category_get_pvars`.
    early fn MPI_T_category_get_pvars(
        index: c_int, len: c_int, indices: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        give_indices(at(CATEGORIES, index)?.performances, len, indices);
        Ok(())
    }

    /// `MPI_T_category_get_categories`.
    early fn MPI_T_category_get_categories(
        index: c_int, len: c_int, indices: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        give_indices(at(CATEGORIES, index)?.categories, len, indices);
        Ok(())
    }

    /// `MPI_T_category_get_events`: there are none.
    early fn MPI_T_category_get_events(
        index: c_int, len: c_int, indices: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        at(CATEGORIES, index)?;
        give_indices(&[], len, indices);
        Ok(())
    }

    /// `MPI_T_category_changed`: they never do.
    early fn MPI_T_category_changed(update_number: Out<c_int>) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        update_number.set(0);
        Ok(())
    }
}
